package dev.millrace.web.console.frame;

import dev.millrace.service.access.Scope;
import org.jspecify.annotations.Nullable;

/**
 * What the frame around every page needs.
 *
 * @param section which entry of the navigation is the current one
 * @param visit null for somebody who is not signed in
 */
public record Page(
    String title, String section, String base, Prefs prefs, @Nullable Visit visit, Notice notice) {

  Page(String title, String section, Visit visit, Notice notice) {
    this(title, section, visit.base(), visit.prefs(), visit, notice);
  }

  /** The address of a page of the console. */
  public String at(String path) {
    return base + path;
  }

  public String asset(String name) {
    return base + "/console/assets/" + name + "?v=" + Assets.VERSION;
  }

  /** This page's own address, for a form that comes back to it. */
  public String here() {
    return visit == null ? "/console" : visit.request().path();
  }

  public String csrf() {
    return visit == null ? "" : visit.csrf();
  }

  /** Whether whoever looks may do what is named so, such as {@code fleet:read}. */
  public boolean may(String scope) {
    return visit != null && visit.may(Scope.ofLabel(scope).orElseThrow());
  }

  /** Marks the current entry, for eyes and for screen readers. */
  public @Nullable String current(String entry) {
    return entry.equals(section) ? "page" : null;
  }
}
