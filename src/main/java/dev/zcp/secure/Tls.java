package dev.zcp.secure;

import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/// TLS 1.3 (RFC 8446), for one end of a connection.
///
/// It keeps secrets from whoever only listens on the path. Who is at the other end it does not
/// tell: any certificate will do. The [Handshake] tells, whose proofs hold the [#binding].
public final class Tls {

  public static final int BINDING_BYTES = 32;

  private static final String PROTOCOL = "TLSv1.3";
  private static final String EXPORTER = "EXPORTER-zcp";

  /// A dialler makes a key for each group that it begins with, and that is dear: so only for this.
  private static final String[] DIALLERS_GROUPS = {"x25519"};

  private static final String[] LISTENERS_GROUPS = {"x25519", "secp256r1"};

  /// The most bytes of one message of the handshake. The largest is a certificate, of some 300.
  private static final int MESSAGE_BYTES_MAX = 8 << 10;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  static {
    Cryptography.prepare();
    // The JDK reads these when it loads its implementation, which nothing else here uses. Without
    // tickets no session is ever resumed.
    System.setProperty("jdk.tls.server.newSessionTicketCount", "0");
    System.setProperty("jdk.tls.client.enableSessionTicketExtension", "false");
    System.setProperty("jdk.tls.maxHandshakeMessageSize", Integer.toString(MESSAGE_BYTES_MAX));
  }

  private Tls() {}

  /// Loads what a handshake takes and, for a listener, makes the certificate: of which there is one
  /// in a process.
  public static void prepare(boolean listens) {
    engine(listens).closeOutbound();
  }

  /// For one connection.
  ///
  /// @param listens whether the peer dialled
  public static SSLEngine engine(boolean listens) {
    SSLContext context = listens ? ListenersContext.CONTEXT : DiallersContext.CONTEXT;
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(!listens);
    // All cipher suites of TLS 1.3 are good, and BoringSSL shows no certificate if others are left
    // out by name.
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(new String[] {PROTOCOL});
    parameters.setNamedGroups(listens ? LISTENERS_GROUPS : DIALLERS_GROUPS);
    engine.setSSLParameters(parameters);
    return engine;
  }

  /// What listeners speak TLS by, for a server that makes its engines itself. Who asks is not known
  /// by it, and who answers by the [#marks] of its certificate alone.
  ///
  /// @param users told of an engine by each thread that makes it or reads from it
  public static SSLContext listenersContext(Consumer<WatchedEngine> users) {
    return WatchedEngine.context(users);
  }

  static SSLContext listenersContext() {
    return ListenersContext.CONTEXT;
  }

  /// What the certificate of this process's listeners is known by.
  public static CertificateMarks marks() {
    try {
      return CertificateMarks.of(ListenersContext.OWN.own.certificate());
    } catch (GeneralSecurityException e) {
      throw noTls(e);
    }
  }

  /// Frees what `engine` holds outside of the heap at once. BoringSSL's has two descriptors, which
  /// would stay open until a garbage collection. To be called if nothing uses it any more.
  public static void free(SSLEngine engine) {
    try {
      engine.closeOutbound();
      engine.closeInbound();
    } catch (SSLException e) {
      // The JDK's: the peer has not said close_notify. That one has nothing to free.
    }
    try {
      // It frees nothing before its last words are taken.
      ByteBuffer words = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
      while (engine.wrap(NOTHING, words.clear()).bytesProduced() > 0) {
        // Nobody hears them.
      }
    } catch (SSLException e) {
      // It has ended by an error, and has said so.
    }
  }

  /// Bytes that both ends of this connection have and no other connection has, such as that of
  /// somebody in the middle: an exporter of RFC 8446, section 7.5. To be called after the
  /// handshake.
  public static byte[] binding(SSLEngine engine) throws SSLException {
    return Cryptography.exported(engine, EXPORTER, BINDING_BYTES);
  }

  private static SSLContext context(KeyManager... keys) {
    try {
      SSLContext context = SSLContext.getInstance(PROTOCOL);
      context.init(keys, new TrustManager[] {new AnyCertificate()}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw noTls(e);
    }
  }

  private static IllegalStateException noTls(GeneralSecurityException e) {
    return new IllegalStateException("the JDK has TLS 1.3, P-256 and X.509", e);
  }

  private static final class DiallersContext {
    private static final SSLContext CONTEXT = context();
  }

  private static final class ListenersContext {
    private static final OwnCertificate OWN = OwnCertificate.random();
    private static final SSLContext CONTEXT = context(OWN);
  }

  private static final class OwnCertificate extends X509ExtendedKeyManager {

    private static final String ALIAS = "zcp";

    private final SelfSigned own;

    private OwnCertificate(SelfSigned own) {
      this.own = own;
    }

    static OwnCertificate random() {
      try {
        return new OwnCertificate(SelfSigned.random());
      } catch (GeneralSecurityException e) {
        throw noTls(e);
      }
    }

    @Override
    public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
      return type.equals(own.key().getAlgorithm()) ? ALIAS : null;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return new X509Certificate[] {own.certificate()};
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return own.key();
    }

    @Override
    public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
      return null;
    }

    @Override
    public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
      return null;
    }

    @Override
    public String[] getServerAliases(String type, Principal[] issuers) {
      return null;
    }

    @Override
    public String[] getClientAliases(String type, Principal[] issuers) {
      return null;
    }
  }

  /// Takes every certificate. That is safe because nothing is believed before both ends have proved
  /// the key over this very connection.
  private static final class AnyCertificate extends X509ExtendedTrustManager {

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
