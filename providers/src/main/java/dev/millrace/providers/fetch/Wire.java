package dev.millrace.providers.fetch;

import dev.millrace.providers.fetch.FetchResult.Excess;
import dev.millrace.providers.fetch.FetchResult.Gap;
import dev.millrace.providers.fetch.FetchResult.Phase;
import dev.millrace.providers.fetch.FetchResult.TimedOut;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.DefaultSchemePortResolver;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.BasicHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.routing.HttpRoutePlanner;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.config.CharCodingConfig;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.config.Lookup;
import org.apache.hc.core5.http.config.RegistryBuilder;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.util.Timeout;

/**
 * One request over one new connection, to one of the addresses that were looked at. The library
 * gets a resolver that knows nothing else, so it can't go elsewhere.
 */
final class Wire {

  private static final int MOST_HEADERS = 200;
  private static final int LONGEST_LINE = 16_384;
  private static final int MOST_ADDRESSES_TRIED = 3;

  private static final ManagedHttpClientConnectionFactory CONNECTIONS =
      ManagedHttpClientConnectionFactory.builder()
          .http1Config(
              Http1Config.custom()
                  .setMaxHeaderCount(MOST_HEADERS)
                  .setMaxLineLength(LONGEST_LINE)
                  .build())
          .charCodingConfig(
              CharCodingConfig.custom()
                  .setCharset(StandardCharsets.UTF_8)
                  .setMalformedInputAction(CodingErrorAction.REPLACE)
                  .setUnmappableInputAction(CodingErrorAction.REPLACE)
                  .build())
          .build();

  private final Lookup<TlsSocketStrategy> tls;

  Wire(SSLContext context) {
    this.tls =
        RegistryBuilder.<TlsSocketStrategy>create()
            .register("https", new DefaultClientTlsStrategy(context))
            .build();
  }

  /** What goes over the wire in one hop. */
  record Message(FetchRequest request, WebAddress address, boolean withCredentials) {}

  FetchStream send(Message message, List<InetAddress> pinned, FetchDeadline deadline)
      throws FetchTrouble {
    FetchRequest request = message.request();
    FetchLimits limits = request.limits();
    WebAddress address = message.address();
    HttpHost target = new HttpHost(address.scheme(), address.host().text(), address.port());
    deadline.within(limits.headers(), Phase.HEADERS);
    CloseableHttpClient client = client(target, pinned, limits, deadline);
    try {
      ClassicHttpResponse response = client.executeOpen(target, written(message, target), null);
      deadline.unhurried();
      // After an answer without a body, such as a 204, the library has closed the socket already.
      if (response.getEntity() != null) {
        deadline.idle(limits.idle());
      }
      return FetchStream.of(response, address.uri(), limits, deadline);
    } catch (IOException e) {
      throw trouble(e, deadline, Phase.HEADERS);
    }
  }

  private static BasicClassicHttpRequest written(Message message, HttpHost target) {
    FetchRequest request = message.request();
    BasicClassicHttpRequest written =
        new BasicClassicHttpRequest(request.method(), target, message.address().target());
    written.addHeader("Connection", "close");
    request.headers().forEach(written::addHeader);
    if (message.withCredentials()) {
      Map<String, String> credentials = request.credentials();
      credentials.forEach(written::addHeader);
    }
    byte[] body = request.body();
    if (body != null) {
      written.setEntity(new ByteArrayEntity(body, null));
    }
    return written;
  }

  private CloseableHttpClient client(
      HttpHost target, List<InetAddress> pinned, FetchLimits limits, FetchDeadline deadline) {
    var connections =
        new BasicHttpClientConnectionManager(
            new DefaultHttpClientConnectionOperator(
                _ -> deadline.attach(new Socket(Proxy.NO_PROXY)),
                DefaultSchemePortResolver.INSTANCE,
                new Pins(target.getHostName(), pinned),
                tls),
            CONNECTIONS);
    connections.setConnectionConfig(
        ConnectionConfig.custom()
            .setConnectTimeout(timeout(limits.connect()))
            .setSocketTimeout(timeout(limits.headers()))
            .build());
    connections.setTlsConfig(
        TlsConfig.custom().setHandshakeTimeout(timeout(limits.headers())).build());
    HttpRoutePlanner direct =
        (host, _) -> new HttpRoute(host, null, host.getSchemeName().equals("https"));
    return HttpClientBuilder.create()
        .setConnectionManager(connections)
        .setRoutePlanner(direct)
        .setDefaultRequestConfig(
            RequestConfig.custom()
                .setResponseTimeout(timeout(limits.headers()))
                .setProtocolUpgradeEnabled(false)
                .setAuthenticationEnabled(false)
                .build())
        .setConnectionReuseStrategy((_, _, _) -> false)
        .disableAuthCaching()
        .disableAutomaticRetries()
        .disableConnectionState()
        .disableContentCompression()
        .disableCookieManagement()
        .disableDefaultUserAgent()
        .disableRedirectHandling()
        .build();
  }

  /** What an exception of the library means; its own words are dropped. */
  static FetchTrouble trouble(IOException e, FetchDeadline deadline, Phase phase) {
    if (e instanceof FetchTrouble already) {
      return already;
    }
    // A socket that was closed under the library shows as any kind of exception.
    return deadline
        .pulled()
        .map(FetchTrouble::new)
        .orElseGet(() ->
            switch (e) {
              case ConnectTimeoutException _ -> new FetchTrouble(new TimedOut(Phase.CONNECT));
              case SocketTimeoutException _ -> new FetchTrouble(new TimedOut(phase));
              case MessageConstraintException _ -> FetchTrouble.tooLarge(Excess.HEADERS);
              case SSLException _ when phase != Phase.READ -> FetchTrouble.unreachable(Gap.TLS);
              case ConnectException _, NoRouteToHostException _ ->
                  FetchTrouble.unreachable(Gap.CONNECT);
              default -> FetchTrouble.unreachable(Gap.BROKEN);
            });
  }

  private static Timeout timeout(Duration duration) {
    return Timeout.ofMilliseconds(Math.max(1, duration.toMillis()));
  }

  /** Knows one host and the addresses that were looked at. */
  private static final class Pins implements DnsResolver {

    private final String host;
    private final List<InetAddress> pinned;

    Pins(String host, List<InetAddress> pinned) {
      this.host = host;
      this.pinned = pinned.stream().limit(MOST_ADDRESSES_TRIED).toList();
    }

    @Override
    public InetAddress[] resolve(String name) throws UnknownHostException {
      if (!name.equals(host)) {
        throw new UnknownHostException("not the host that was looked at");
      }
      return pinned.toArray(InetAddress[]::new);
    }

    @Override
    public String resolveCanonicalHostname(String name) {
      return name;
    }
  }
}
