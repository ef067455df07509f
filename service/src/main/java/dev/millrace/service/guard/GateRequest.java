package dev.millrace.service.guard;

import tools.jackson.databind.node.ObjectNode;

/**
 * What a gate judges.
 *
 * @param user the tenant's own user, who would pay for it
 * @param effect the effect's slug
 * @param input resolved: with the effect's own values, as an executor would get it
 */
public record GateRequest(int tenant, String user, String effect, ObjectNode input) {

  /** Without the input, which is somebody's prompt and must not reach a log by accident. */
  @Override
  public String toString() {
    return "GateRequest[tenant=" + tenant + ", effect=" + effect + "]";
  }
}
