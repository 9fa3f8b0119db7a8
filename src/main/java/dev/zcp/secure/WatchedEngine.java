package dev.zcp.secure;

import java.nio.ByteBuffer;
import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/// An engine of a listener, for a server that makes its engines by a context and shows them to
/// nobody. It remembers how its handshake ended, and frees what it holds outside of the heap when
/// the server has closed it.
public final class WatchedEngine extends SSLEngine {

  private final SSLEngine engine;
  private final Consumer<WatchedEngine> users;
  private volatile boolean isEstablished;
  private volatile SSLException failure;
  private volatile boolean isClosing;

  private WatchedEngine(String host, int port, Consumer<WatchedEngine> users) {
    super(host, port);
    this.engine = Tls.engine(true);
    this.users = users;
  }

  /// Makes such engines.
  ///
  /// @param users told of an engine by each thread that makes it or reads from it
  static SSLContext context(Consumer<WatchedEngine> users) {
    SSLContext plain = Tls.listenersContext();
    return new SSLContext(new Maker(users), plain.getProvider(), plain.getProtocol()) {};
  }

  /// Whether the handshake is over, and well.
  public boolean isEstablished() {
    return isEstablished;
  }

  /// Why the handshake failed; null if it did not, or if the client was not heard of again.
  public SSLException failure() {
    return failure;
  }

  /// Nobody uses it any more.
  public void free() {
    Tls.free(engine);
  }

  @Override
  public SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer target)
      throws SSLException {
    SSLEngineResult result = null;
    try {
      result = noted(engine.wrap(sources, offset, length, target));
      return result;
    } catch (SSLException e) {
      throw noted(e);
    } finally {
      if (isClosing && (result == null || result.bytesProduced() == 0)) {
        free();
      }
    }
  }

  @Override
  public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] targets, int offset, int length)
      throws SSLException {
    users.accept(this);
    try {
      return noted(engine.unwrap(source, targets, offset, length));
    } catch (SSLException e) {
      throw noted(e);
    }
  }

  private SSLEngineResult noted(SSLEngineResult result) {
    if (result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
      isEstablished = true;
    }
    return result;
  }

  private SSLException noted(SSLException e) {
    if (!isEstablished && failure == null) {
      failure = e;
    }
    return e;
  }

  @Override
  public Runnable getDelegatedTask() {
    return engine.getDelegatedTask();
  }

  @Override
  public void closeInbound() throws SSLException {
    engine.closeInbound();
  }

  @Override
  public boolean isInboundDone() {
    return engine.isInboundDone();
  }

  @Override
  public void closeOutbound() {
    engine.closeOutbound();
    isClosing = true;
  }

  @Override
  public boolean isOutboundDone() {
    return engine.isOutboundDone();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return engine.getSupportedCipherSuites();
  }

  @Override
  public String[] getEnabledCipherSuites() {
    return engine.getEnabledCipherSuites();
  }

  @Override
  public void setEnabledCipherSuites(String[] suites) {
    engine.setEnabledCipherSuites(suites);
  }

  @Override
  public String[] getSupportedProtocols() {
    return engine.getSupportedProtocols();
  }

  @Override
  public String[] getEnabledProtocols() {
    return engine.getEnabledProtocols();
  }

  @Override
  public void setEnabledProtocols(String[] protocols) {
    engine.setEnabledProtocols(protocols);
  }

  @Override
  public SSLSession getSession() {
    return engine.getSession();
  }

  @Override
  public void beginHandshake() throws SSLException {
    engine.beginHandshake();
  }

  @Override
  public HandshakeStatus getHandshakeStatus() {
    return engine.getHandshakeStatus();
  }

  @Override
  public void setUseClientMode(boolean mode) {
    engine.setUseClientMode(mode);
  }

  @Override
  public boolean getUseClientMode() {
    return engine.getUseClientMode();
  }

  @Override
  public void setNeedClientAuth(boolean need) {
    engine.setNeedClientAuth(need);
  }

  @Override
  public boolean getNeedClientAuth() {
    return engine.getNeedClientAuth();
  }

  @Override
  public void setWantClientAuth(boolean want) {
    engine.setWantClientAuth(want);
  }

  @Override
  public boolean getWantClientAuth() {
    return engine.getWantClientAuth();
  }

  @Override
  public void setEnableSessionCreation(boolean flag) {
    engine.setEnableSessionCreation(flag);
  }

  @Override
  public boolean getEnableSessionCreation() {
    return engine.getEnableSessionCreation();
  }

  @Override
  public SSLParameters getSSLParameters() {
    return engine.getSSLParameters();
  }

  @Override
  public void setSSLParameters(SSLParameters parameters) {
    engine.setSSLParameters(parameters);
  }

  /// Only engines are made by it.
  private static final class Maker extends SSLContextSpi {

    private final Consumer<WatchedEngine> users;

    private Maker(Consumer<WatchedEngine> users) {
      this.users = users;
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
      WatchedEngine made = new WatchedEngine(host, port, users);
      users.accept(made);
      return made;
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
      return engineCreateSSLEngine(null, -1);
    }

    @Override
    protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
        throws KeyManagementException {
      throw new KeyManagementException("it has its key");
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
      throw new UnsupportedOperationException();
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
      throw new UnsupportedOperationException();
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
      return Tls.listenersContext().getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
      return Tls.listenersContext().getClientSessionContext();
    }
  }
}
