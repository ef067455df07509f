package dev.millrace.web.console.frame;

import dev.millrace.web.http.Request;
import java.util.List;

/**
 * How somebody likes to see things; kept in the browser.
 *
 * @param theme light, dark or system
 * @param zone utc or local
 */
public record Prefs(String theme, String zone) {

  private static final List<String> THEMES = List.of("system", "light", "dark");
  private static final List<String> ZONES = List.of("local", "utc");

  static final String THEME_COOKIE = "millrace_theme";
  static final String ZONE_COOKIE = "millrace_zone";

  public Prefs {
    theme = THEMES.contains(theme) ? theme : THEMES.getFirst();
    zone = ZONES.contains(zone) ? zone : ZONES.getFirst();
  }

  static Prefs of(Request request) {
    return new Prefs(
        Cookies.value(request, THEME_COOKIE).orElse(""),
        Cookies.value(request, ZONE_COOKIE).orElse(""));
  }

  public boolean utc() {
    return zone.equals("utc");
  }
}
