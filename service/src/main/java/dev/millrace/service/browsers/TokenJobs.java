package dev.millrace.service.browsers;

import dev.millrace.engine.port.Store;
import dev.millrace.postgres.tenants.UserTokens;
import dev.millrace.service.access.Credential;
import dev.millrace.service.access.Principal;
import dev.millrace.service.jobs.JobAllowance;

/** Counts what is submitted with tokens. Keys and identities have the tenant's limits only. */
public final class TokenJobs implements JobAllowance {

  private final UserTokens tokens;

  public TokenJobs(UserTokens tokens) {
    this.tokens = tokens;
  }

  @Override
  public boolean counts(Principal by) {
    return by.credential().kind() == Credential.Kind.TOKEN;
  }

  @Override
  public boolean take(Principal by, int jobs) {
    return jobs == 0 || !counts(by) || tokens.take(by.tenant(), by.credential().id(), jobs);
  }

  @Override
  public void giveBack(Principal by, int jobs) {
    if (jobs == 0 || !counts(by)) {
      return;
    }
    try {
      tokens.giveBack(by.tenant(), by.credential().id(), jobs);
    } catch (Store.Unavailable _) {
      // The jobs are decided, and that must be told; what can't be given back is spent.
    }
  }
}
