package dev.millrace.engine.port;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One append-only line of who decided what, written with the decision itself.
 *
 * @param actor who, such as {@code key:ops} or {@code system}
 * @param action one word, such as {@code job.approve}
 * @param target what it was done to
 */
public record AuditLine(
    int tenant, String actor, String action, String target, SortedMap<String, String> detail) {

  public AuditLine {
    detail = Collections.unmodifiableSortedMap(new TreeMap<>(detail));
  }

  public AuditLine(
      int tenant, String actor, String action, String target, Map<String, String> detail) {
    this(tenant, actor, action, target, new TreeMap<>(detail));
  }
}
