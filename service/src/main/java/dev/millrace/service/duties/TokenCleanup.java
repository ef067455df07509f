package dev.millrace.service.duties;

import dev.millrace.postgres.Database;
import dev.millrace.postgres.tenants.StreamTickets;
import dev.millrace.postgres.tenants.UserTokens;
import java.time.Duration;

/** Throws away the tokens and tickets that have ended. */
public record TokenCleanup(UserTokens tokens, StreamTickets tickets) implements Duty {

  private static final Duration KEPT = Duration.ofHours(1);
  private static final int PAGE = 1_000;

  public static TokenCleanup of(Database database) {
    return new TokenCleanup(database.userTokens(), database.streamTickets());
  }

  @Override
  public String name() {
    return "token-cleanup";
  }

  @Override
  public void run() {
    while (tokens.forget(KEPT, PAGE) == PAGE) {
      // There may be more.
    }
    while (tickets.forget(PAGE) == PAGE) {
      // There may be more.
    }
  }
}
