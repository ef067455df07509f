package dev.millrace.web.console.frame;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.web.http.Request;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The cookie that keeps somebody signed in. Over https its name begins with {@code __Host-}, so
 * that browsers take it from this host alone, over https alone: a neighbour under the same domain
 * can't plant one. Browsers want the path {@code /} for that, and installations that share a host
 * would overwrite each other's, so behind a base path the name ends with a mark of that path.
 *
 * @param cookies of the console; these have its path
 * @param base the path under which a proxy serves us, or empty
 */
record SessionCookie(Cookies cookies, String base) {

  /** Over plain http, where browsers take no name with the prefix. */
  static final String PLAIN = "millrace_session";

  /** The same of a cookie that keeps what is needed while somebody is at an identity provider. */
  private static final String NOTES = "millrace_sign_in";

  private static final String PREFIX = "__Host-";
  private static final int MARK_LENGTH = 8;

  String name() {
    return name(PLAIN);
  }

  private String name(String plain) {
    if (!cookies.secure()) {
      return plain;
    }
    String mark = base.isEmpty() ? "" : "_" + Sha256.hex(base).substring(0, MARK_LENGTH);
    return PREFIX + plain + mark;
  }

  /** What this browser keeps while somebody is at an identity provider. */
  Optional<String> notes(Request request) {
    return Cookies.value(request, name(NOTES));
  }

  /** The provider's site leads back to us, so this one is for arrivals too. */
  String keepNotes(String notes, Duration life) {
    return ofSession().setForArrivals(name(NOTES), notes, life);
  }

  String dropNotes() {
    return keepNotes("", Duration.ZERO);
  }

  /** The session's secret; one under another name is not looked at. */
  Optional<String> value(Request request) {
    return Cookies.value(request, name());
  }

  /** Every secret that the request has, also of a session from before this name. */
  List<String> all(Request request) {
    return Stream.of(name(), PLAIN)
        .distinct()
        .flatMap(name -> Cookies.value(request, name).stream())
        .toList();
  }

  String begin(String secret, Duration life) {
    return ofSession().set(name(), secret, life);
  }

  /** Takes them away, also one from before this name. */
  List<String> end() {
    String current = ofSession().clear(name());
    return cookies.secure() ? List.of(current, cookies.clear(PLAIN)) : List.of(current);
  }

  private Cookies ofSession() {
    return cookies.secure() ? new Cookies("/", true) : cookies;
  }
}
