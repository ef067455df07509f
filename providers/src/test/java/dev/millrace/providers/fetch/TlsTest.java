package dev.millrace.providers.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.providers.fetch.FetchResult.Fetched;
import dev.millrace.providers.fetch.FetchResult.Gap;
import dev.millrace.providers.fetch.FetchResult.Unreachable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The address is pinned, and still the certificate must be that of the name. */
class TlsTest {

  private static final String PASSWORD = "changeit";

  @TempDir Path folder = Path.of("");

  @SuppressWarnings("NullAway.Init")
  private SSLContext context;

  @SuppressWarnings("NullAway.Init")
  private Site site;

  @BeforeEach
  void start() throws Exception {
    context = context(keys());
    SSLServerSocket server =
        (SSLServerSocket) context.getServerSocketFactory().createServerSocket();
    server.bind(new InetSocketAddress(InetAddress.ofLiteral(Site.ADDRESS), 0));
    site = new Site(server);
    site.page("/", "private talk");
  }

  @AfterEach
  void close() {
    site.close();
  }

  @Test
  void the_right_name_is_trusted_although_the_address_is_pinned() {
    FetchResult result = trusting().fetch(FetchRequest.get(url("shop.example.com")));

    assertThat(result).isInstanceOf(Fetched.class);
    assertThat(((Fetched) result).url().getScheme()).isEqualTo("https");
    assertThat(site.seen().getFirst().headers())
        .containsEntry("host", "shop.example.com:" + site.port());
  }

  @Test
  void another_name_at_the_same_address_is_not() {
    assertThat(trusting().fetch(FetchRequest.get(url("bank.example.com"))))
        .isEqualTo(new Unreachable(Gap.TLS));
    assertThat(site.seen()).noneMatch(seen -> seen.line().startsWith("GET"));
  }

  @Test
  void a_certificate_that_nobody_vouches_for_is_not() {
    FetchClient usual =
        new FetchClient(site.policy(), _ -> List.of(InetAddress.ofLiteral(Site.ADDRESS)));

    assertThat(usual.fetch(FetchRequest.get(url("shop.example.com"))))
        .isEqualTo(new Unreachable(Gap.TLS));
  }

  private FetchClient trusting() {
    return new FetchClient(
        new FetchPolicy(Set.of(site.port()), AllowList.parse(Site.ADDRESS)),
        _ -> List.of(InetAddress.ofLiteral(Site.ADDRESS)),
        context);
  }

  private String url(String name) {
    return "https://" + name + ":" + site.port() + "/";
  }

  /** Makes a certificate for one name with the tool that every JDK has. */
  private KeyStore keys() throws IOException, InterruptedException, GeneralSecurityException {
    Path file = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                "site",
                "-dname",
                "CN=shop.example.com",
                "-ext",
                "SAN=dns:shop.example.com",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return keys;
  }

  private static SSLContext context(KeyStore keys) throws GeneralSecurityException {
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, PASSWORD.toCharArray());
    TrustManagerFactory trusted =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(keys);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
    return context;
  }
}
