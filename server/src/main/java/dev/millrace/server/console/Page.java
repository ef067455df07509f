package dev.millrace.server.console;

import dev.millrace.server.auth.Role;
import org.jspecify.annotations.Nullable;

/**
 * What the frame around every page needs.
 *
 * @param section which entry of the navigation is the current one
 * @param visit null for somebody who is not signed in
 */
record Page(
    String title, String section, String base, Prefs prefs, @Nullable Visit visit, Notice notice) {

  Page(String title, String section, Visit visit, Notice notice) {
    this(title, section, visit.base(), visit.prefs(), visit, notice);
  }

  /** The address of a page of the console. */
  String at(String path) {
    return base + path;
  }

  String asset(String name) {
    return base + "/console/assets/" + name + "?v=" + Assets.VERSION;
  }

  /** This page's own address, for a form that comes back to it. */
  String here() {
    return visit == null ? "/console" : visit.request().path();
  }

  String csrf() {
    return visit == null ? "" : visit.csrf();
  }

  boolean admin() {
    return visit != null && visit.is(Role.ADMIN);
  }

  boolean reviewer() {
    return visit != null && visit.is(Role.REVIEWER);
  }

  /** Marks the current entry, for eyes and for screen readers. */
  @Nullable String current(String entry) {
    return entry.equals(section) ? "page" : null;
  }
}
