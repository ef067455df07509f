package dev.millrace.server.edge;

import java.net.http.HttpResponse;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * An answer without what differs from one time to the next.
 *
 * @param headers by lower-case name, without the date and the request's id
 */
record Heard(int status, TreeMap<String, List<String>> headers, String body) {

  /** Where a page looks for news from, a form's key of its own, and for how long a URL works. */
  private static final Pattern NOW =
      Pattern.compile(
          "[0-9a-f]{8}-[0-9a-f]{4}-7000-8000-0{12}|console-[0-9a-f-]{36}"
              + "|expires=[0-9]+|signature=[A-Za-z0-9_-]+|(ticket|ends_at|url_expires_at)\":\"[^\"]+");

  private static final int LAST = 4;
  private static final int SHOWN = 8;
  private static final int AROUND = 200;
  private static final Set<String> PASSING = Set.of("date", "x-request-id");

  static Heard of(HttpResponse<String> answer) {
    TreeMap<String, List<String>> headers = new TreeMap<>();
    answer
        .headers()
        .map()
        .forEach((name, lines) -> {
          if (!PASSING.contains(name.toLowerCase(Locale.ROOT))) {
            headers.put(name.toLowerCase(Locale.ROOT), lines);
          }
        });
    return new Heard(answer.statusCode(), headers, String.valueOf(answer.body()));
  }

  /** The same where these ids, which were asked for, can't be told apart. */
  Heard without(Collection<String> ids) {
    TreeMap<String, List<String>> masked = new TreeMap<>();
    headers.forEach((name, lines) ->
        masked.put(
            name,
            name.equals("content-length")
                ? List.of()
                : lines.stream().map(line -> masked(line, ids)).toList()));
    return new Heard(status, masked, masked(body, ids));
  }

  /** Also the place right behind an id, and its end, which is what people are shown of it. */
  private static String masked(String text, Collection<String> ids) {
    String rest = NOW.matcher(text).replaceAll("NOW");
    for (String id : ids) {
      String begin = id.substring(0, id.length() - LAST);
      rest = rest.replace(id, "ID").replaceAll("\\Q" + begin + "\\E[0-9a-f]{4}", "ID");
      rest = rest.replace(id.substring(id.length() - SHOWN), "END");
    }
    return rest;
  }

  /** Where this answer differs from another, with what stands around it. */
  String difference(Heard other) {
    String mine = toString();
    String others = other.toString();
    int at = 0;
    while (at < Math.min(mine.length(), others.length()) && mine.charAt(at) == others.charAt(at)) {
      at++;
    }
    return around(mine, at) + " <> " + around(others, at);
  }

  private static String around(String text, int at) {
    return text.substring(Math.max(0, at - AROUND), Math.min(text.length(), at + AROUND));
  }
}
