package dev.millrace.service.jobs;

import dev.millrace.contract.text.OwnerText;

/** What admins and reviewers write about a job or a wallet, as the owner may read it. */
public final class Reasons {

  private static final int LONGEST = 500;

  private Reasons() {}

  /** Never empty, because a reason is what its reader expects. */
  public static String shown(String reason) {
    String line = OwnerText.line(reason, LONGEST);
    return line.isEmpty() ? "No reason that can be shown" : line;
  }
}
