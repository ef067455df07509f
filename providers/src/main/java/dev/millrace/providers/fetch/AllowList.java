package dev.millrace.providers.fetch;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an operator allows beside the public internet: names, names below a name ({@code
 * *.media.example}), addresses and ranges of them, each for the usual ports or with one of its own
 * ({@code render.internal:8188}, {@code 10.1.0.0/16:9000}, {@code [fd00::/8]:443}).
 */
public final class AllowList {

  public static final AllowList NOTHING = new AllowList(List.of());

  private static final int ANY_USUAL_PORT = 0;
  private static final int MOST_PORT = 65_535;
  private static final Pattern ENTRY =
      Pattern.compile("(?:\\[([0-9A-Fa-f:./]+)]|([^:\\[\\]]+))(?::([0-9]{1,5}))?");

  /**
   * One line of the list.
   *
   * @param name null if it is a range; begins with a dot if it is for all names below one
   */
  private record Entry(@Nullable Cidr range, @Nullable String name, int port) {

    boolean matches(Host host, InetAddress address) {
      if (range != null) {
        return range.contains(address.getAddress());
      }
      return name != null
          && (name.startsWith(".") ? host.text().endsWith(name) : host.text().equals(name));
    }

    boolean isFor(int wanted, FetchPolicy policy) {
      return port == ANY_USUAL_PORT ? policy.ports().contains(wanted) : port == wanted;
    }
  }

  private final List<Entry> entries;

  private AllowList(List<Entry> entries) {
    this.entries = List.copyOf(entries);
  }

  /**
   * Reads entries with commas or white space between them.
   *
   * @throws IllegalArgumentException that quotes the entry which can't be read
   */
  public static AllowList parse(String text) {
    List<Entry> entries = new ArrayList<>();
    for (String written : text.split("[,\\s]+", -1)) {
      if (!written.isEmpty()) {
        entries.add(entry(written.toLowerCase(Locale.ROOT)));
      }
    }
    return new AllowList(entries);
  }

  /** One host with one port, as a URL of the operator's own has them. */
  static AllowList only(WebAddress address) {
    Entry entry =
        switch (address.host()) {
          case Host.Name(String name) -> new Entry(null, name, address.port());
          case Host.Literal(_, InetAddress literal) ->
              new Entry(Cidr.of(literal.getHostAddress()), null, address.port());
        };
    return new AllowList(List.of(entry));
  }

  AllowList and(AllowList other) {
    List<Entry> all = new ArrayList<>(entries);
    all.addAll(other.entries);
    return new AllowList(all);
  }

  boolean permits(Host host, InetAddress address, int port, FetchPolicy policy) {
    return entries.stream()
        .anyMatch(entry -> entry.isFor(port, policy) && entry.matches(host, address));
  }

  /** Whether a port could be allowed at all, so that no name is resolved for nothing. */
  boolean knowsPort(int port) {
    return entries.stream().anyMatch(entry -> entry.port() == port);
  }

  private static Entry entry(String written) {
    try {
      if (written.chars().filter(c -> c == ':').count() > 1 && !written.startsWith("[")) {
        return new Entry(Cidr.of(written), null, ANY_USUAL_PORT);
      }
      Matcher matcher = ENTRY.matcher(written);
      if (!matcher.matches()) {
        throw new IllegalArgumentException("not an entry");
      }
      int port = matcher.group(3) == null ? ANY_USUAL_PORT : port(matcher.group(3));
      if (matcher.group(1) != null) {
        return new Entry(Cidr.of(matcher.group(1)), null, port);
      }
      String text = matcher.group(2);
      if (text.indexOf('/') >= 0) {
        return new Entry(Cidr.of(text), null, port);
      }
      boolean below = text.startsWith("*.");
      return switch (Host.plain(below ? text.substring(2) : text)) {
        case Host.Name(String name) -> new Entry(null, below ? "." + name : name, port);
        case Host.Literal(String address, _) when !below -> new Entry(Cidr.of(address), null, port);
        case Host.Literal _ -> throw new IllegalArgumentException("nothing is below an address");
      };
    } catch (IllegalArgumentException | FetchTrouble e) {
      throw new IllegalArgumentException(
          "'" + written + "' is neither a host name nor a range of addresses", e);
    }
  }

  private static int port(String text) {
    int port = Integer.parseInt(text);
    if (port == 0 || port > MOST_PORT) {
      throw new IllegalArgumentException("no such port");
    }
    return port;
  }
}
