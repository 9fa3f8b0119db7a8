package dev.zcp.web;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.stream.Stream;

/// Asks nobody what an address is called. The JDK's server would ask for each connection with TLS
/// (`SSLStreams` of jdk.httpserver), and make it wait for many seconds where nobody answers. zcp
/// shows addresses as they are.
public final class NoReverseNames extends InetAddressResolverProvider {

  @Override
  public InetAddressResolver get(Configuration configuration) {
    InetAddressResolver builtin = configuration.builtinResolver();
    return new InetAddressResolver() {
      @Override
      public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
          throws UnknownHostException {
        return builtin.lookupByName(host, policy);
      }

      @Override
      public String lookupByAddress(byte[] address) throws UnknownHostException {
        throw new UnknownHostException("addresses are not looked up");
      }
    };
  }

  @Override
  public String name() {
    return "zcp";
  }
}
