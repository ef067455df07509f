package dev.millrace.server.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Somebody with a browser of his own, as far as cookies, forms and redirects go. */
final class Visitor implements AutoCloseable {

  private static final Pattern ACTION = Pattern.compile("<form[^>]* action=\"([^\"]+)\"");
  private static final Pattern HIDDEN =
      Pattern.compile("<input type=\"hidden\" name=\"([^\"]+)\" value=\"([^\"]*)\"");
  private static final Pattern CANCEL = Pattern.compile("href=\"([^\"]+/abort)\"");
  private static final Pattern CSRF = Pattern.compile("name=\"csrf\" content=\"([^\"]+)\"");

  private final CookieManager cookies = new PlainCookies();
  private final String console;
  private final HttpClient following = client(HttpClient.Redirect.NORMAL);
  private final HttpClient standing = client(HttpClient.Redirect.NEVER);

  /** The JDK takes cookies with an age for those of an old standard, and sends them in quotes. */
  private static final class PlainCookies extends CookieManager {

    PlainCookies() {
      super(null, CookiePolicy.ACCEPT_ALL);
    }

    @Override
    public void put(URI uri, Map<String, List<String>> headers) throws IOException {
      super.put(uri, headers);
      getCookieStore().getCookies().forEach(cookie -> cookie.setVersion(0));
    }
  }

  /**
   * @param console the address of the server
   */
  Visitor(String console) {
    this.console = console;
  }

  private HttpClient client(HttpClient.Redirect redirect) {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .cookieHandler(cookies)
        .followRedirects(redirect)
        .connectTimeout(Duration.ofSeconds(20))
        .build();
  }

  /** Goes wherever this leads. */
  HttpResponse<String> open(String path) {
    return send(following, request(path));
  }

  /** Goes there, and no further. */
  HttpResponse<String> look(String path) {
    return send(standing, request(path));
  }

  private HttpRequest.Builder request(String path) {
    URI target = path.startsWith("http") ? URI.create(path) : URI.create(console + path);
    return HttpRequest.newBuilder(target).timeout(Duration.ofSeconds(60));
  }

  /** Sends the only form of a page, with what is hidden in it. */
  HttpResponse<String> fill(HttpResponse<String> page, Map<String, String> fields) {
    Map<String, String> all = new HashMap<>(fields);
    HIDDEN
        .matcher(String.valueOf(page.body()))
        .results()
        .forEach(hidden -> all.putIfAbsent(hidden.group(1), hidden.group(2)));
    return post(page.uri().resolve(found(ACTION, page)).toString(), all);
  }

  private HttpResponse<String> post(String path, Map<String, String> fields) {
    String form =
        fields.entrySet().stream()
            .map(field ->
                field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
            .collect(Collectors.joining("&"));
    return send(
        following,
        request(path)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form)));
  }

  /** Sends a form of the console with the token that its pages carry. */
  HttpResponse<String> act(String path) {
    return post(path, Map.of("csrf", found(CSRF, open("/console/studio"))));
  }

  private static HttpResponse<String> send(HttpClient client, HttpRequest.Builder request) {
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The provider's page where one says who one is. */
  HttpResponse<String> atProvider(String wanted) {
    HttpResponse<String> door =
        open("/console/sign-in/provider?to=" + URLEncoder.encode(wanted, StandardCharsets.UTF_8));
    assertThat(door.statusCode()).as(door.body()).isEqualTo(200);
    assertThat(door.uri().getHost()).isEqualTo("localhost");
    return door;
  }

  /** Says who he is and agrees; what the console answers then. */
  HttpResponse<String> signIn(String name, String wanted) {
    HttpResponse<String> consent =
        fill(atProvider(wanted), Map.of("prompt", "login", "login", name, "password", "whatever"));
    return fill(consent, Map.of("prompt", "consent"));
  }

  /** Says no at the provider. */
  HttpResponse<String> cancel(String wanted) {
    HttpResponse<String> page = atProvider(wanted);
    return open(page.uri().resolve(found(CANCEL, page)).toString());
  }

  /** The address of the console that the provider leads to, without going there. */
  String ledTo(String name) {
    HttpResponse<String> consent =
        fill(atProvider(""), Map.of("prompt", "login", "login", name, "password", "whatever"));
    String form = "prompt=consent";
    HttpResponse<String> step =
        send(
            standing,
            request(consent.uri().resolve(found(ACTION, consent)).toString())
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form)));
    for (int i = 0; i < 5; i++) {
      String next = step.headers().firstValue("location").orElseThrow();
      if (next.startsWith(console)) {
        return next;
      }
      step = look(step.uri().resolve(next).toString());
    }
    throw new AssertionError("the provider leads nowhere");
  }

  /** Where a page of the console leads on by itself. */
  static String onward(HttpResponse<String> page) {
    return page.headers().firstValue("refresh").orElseThrow().replaceFirst("^0; url=", "");
  }

  private static String found(Pattern pattern, HttpResponse<String> page) {
    Matcher matcher = pattern.matcher(String.valueOf(page.body()));
    assertThat(matcher.find()).as(page.body()).isTrue();
    return matcher.group(1).replace("&amp;", "&");
  }

  @Override
  public void close() {
    following.shutdownNow();
    standing.shutdownNow();
  }
}
