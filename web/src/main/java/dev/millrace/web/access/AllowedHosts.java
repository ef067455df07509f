package dev.millrace.web.access;

import dev.millrace.web.http.Filter;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.RouteHandler;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The hosts under which this server answers. A browser that was made to believe that a stranger's
 * name leads to this machine sends that name along, and links that are built from a request must
 * not lead to wherever the request says.
 *
 * <p>A request without a host comes from a client of HTTP/1.0, which no browser is.
 */
public final class AllowedHosts implements Filter {

  private static final String ANY = "*";
  private static final Pattern V4 =
      Pattern.compile("(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(?:\\.(?!$)|$)){4}");
  private static final Pattern V6 = Pattern.compile("\\[[0-9a-f:.]{2,45}(?:%25[0-9a-z._~-]+)?]");
  private static final Pattern LOOPBACK =
      Pattern.compile("127\\..*|\\[::1]|\\[::ffff:127\\..*]|localhost|.*\\.localhost");

  private final List<String> names;
  private final boolean addresses;

  private AllowedHosts(Stream<String> names, boolean addresses) {
    this.names = names.filter(name -> !name.isEmpty()).map(AllowedHosts::plain).distinct().toList();
    this.addresses = addresses;
  }

  /** These, every IP address, and whatever means this machine. */
  public static AllowedHosts andAddresses(Collection<String> names) {
    return new AllowedHosts(names.stream(), true);
  }

  /**
   * These and whatever means this machine.
   *
   * @param names each of a host or address, or {@code *.example.com}, or {@code *} for any
   */
  public static AllowedHosts only(Collection<String> names) {
    return new AllowedHosts(names.stream(), false);
  }

  @Override
  public Response apply(Request request, RouteHandler next) throws Exception {
    Optional<String> host = request.header("host");
    if (host.isPresent() && !allows(host.get())) {
      throw new ProblemException(
          421,
          "unknown_host",
          "This server doesn't answer under the host that was asked for. Whoever runs it can allow"
              + " the name with MILLRACE_HTTP_ALLOWED_HOSTS, or set MILLRACE_HTTP_PUBLIC_URL.");
    }
    return next.handle(request);
  }

  /**
   * Whether a request may name this host.
   *
   * @param host as in the header, with or without a port
   */
  public boolean allows(String host) {
    String name = withoutPort(host);
    return (LOOPBACK.matcher(name).matches() && (isAddress(name) || name.endsWith("localhost")))
        || (addresses && isAddress(name))
        || names.stream().anyMatch(allowed -> fits(name, allowed));
  }

  private static boolean fits(String name, String allowed) {
    return allowed.equals(ANY)
        || name.equals(allowed)
        || (allowed.startsWith("*.")
            && name.endsWith(allowed.substring(1))
            && name.length() > allowed.length() - 1);
  }

  private static boolean isAddress(String name) {
    return V4.matcher(name).matches() || V6.matcher(name).matches();
  }

  private static String withoutPort(String host) {
    int colon = host.indexOf(':', Math.max(host.lastIndexOf(']'), 0));
    return plain(colon < 0 ? host : host.substring(0, colon));
  }

  /** The one way to write a name: in lower case, without the dot of the root, IPv6 in brackets. */
  private static String plain(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    String bare = lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    return bare.indexOf(':') >= 0 && !bare.startsWith("[") ? "[" + bare + "]" : bare;
  }
}
