package dev.millrace.service.browsers;

import dev.millrace.postgres.Database;

/** All that lets browsers ask, each built once. */
public record Browsers(TokenActions tokens, Tickets tickets, Origins origins) {

  public static Browsers of(Database database) {
    return new Browsers(
        new TokenActions(database.userTokens(), database.audit()),
        new Tickets(database.streamTickets(), database.tenants()),
        new Origins(database.allowedOrigins()));
  }
}
