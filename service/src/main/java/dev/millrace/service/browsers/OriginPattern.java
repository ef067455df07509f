package dev.millrace.service.browsers;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Origins as browsers write them: scheme, host, and the port unless it is the scheme's own. A
 * pattern may begin its host with {@code *.}, which is every host below that one and not itself.
 */
public final class OriginPattern {

  public static final String LAW =
      "must be an origin such as https://app.example.com, https://*.example.com or"
          + " http://localhost:3000, without a path";

  private static final int LONGEST = 260;
  private static final String LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
  private static final Pattern ORIGIN =
      Pattern.compile(
          "(https?)://(\\*\\.)?("
              + LABEL
              + "(?:\\."
              + LABEL
              + ")*|\\[[0-9a-f:.]{2,45}])"
              + "(?::([1-9][0-9]{0,4}))?");
  private static final Pattern NAME_BELOW = Pattern.compile(".+\\.[a-z0-9-]*[a-z][a-z0-9-]*");

  private OriginPattern() {}

  /** As it is stored; empty if it is none. */
  public static Optional<String> parse(String text) {
    String lower = text.strip().toLowerCase(Locale.ROOT);
    Matcher matcher = ORIGIN.matcher(lower);
    if (lower.length() > LONGEST || !matcher.matches()) {
      return Optional.empty();
    }
    boolean below = matcher.group(2) != null;
    String host = matcher.group(3);
    if (below && !NAME_BELOW.matcher(host).matches()) {
      return Optional.empty();
    }
    int port = matcher.group(4) == null ? -1 : Integer.parseInt(matcher.group(4));
    if (port > 65_535) {
      return Optional.empty();
    }
    boolean usual = port < 0 || port == (matcher.group(1).equals("https") ? 443 : 80);
    return Optional.of(
        matcher.group(1) + "://" + (below ? "*." : "") + host + (usual ? "" : ":" + port));
  }

  /** The patterns that allow an origin which a browser told; none if it told no proper one. */
  static List<String> allowing(String origin) {
    Matcher matcher = ORIGIN.matcher(origin);
    if (origin.length() > LONGEST || !matcher.matches() || matcher.group(2) != null) {
      return List.of();
    }
    List<String> patterns = new ArrayList<>();
    patterns.add(origin);
    String before = matcher.group(1) + "://*.";
    String port = matcher.group(4) == null ? "" : ":" + matcher.group(4);
    String host = matcher.group(3);
    for (int dot = host.indexOf('.'); dot > 0; dot = host.indexOf('.')) {
      host = host.substring(dot + 1);
      patterns.add(before + host + port);
    }
    return patterns;
  }
}
