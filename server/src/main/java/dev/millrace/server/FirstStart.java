package dev.millrace.server;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.TopUp;
import dev.millrace.engine.money.Wallet;
import dev.millrace.postgres.Database;
import dev.millrace.service.access.ApiKey;
import dev.millrace.service.access.ApiKeys;
import dev.millrace.service.access.Bounds;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Role;
import java.util.Optional;

/**
 * What a new installation starts with: a tenant, credits to try things out, and an operator's key.
 */
final class FirstStart {

  private static final String TENANT = "default";

  private final Database database;
  private final Engine engine;

  FirstStart(Database database, Engine engine) {
    this.database = database;
    this.engine = engine;
  }

  /** Books the welcome credits once, however often this runs. */
  void welcome(long credits) {
    int tenant = database.tenants().ensure(TENANT);
    if (credits > 0) {
      engine.topUp(
          new TopUp(
              new Wallet.Owner(tenant, Principal.DEFAULT_USER),
              credits,
              "welcome",
              "Welcome to Millrace"));
    }
  }

  /** The first operator's key, in clear, if there is none yet. */
  Optional<String> firstKey() {
    return database.keys().anyOperator()
        ? Optional.empty()
        : Optional.of(operatorKey("first start"));
  }

  /** Another operator's key, in clear, for the person who runs this server. */
  String operatorKey(String name) {
    ApiKey key = ApiKey.random();
    database
        .keys()
        .add(
            ApiKeys.row(
                database.tenants().ensure(TENANT),
                key,
                new ApiKeys.Wish(name, Role.OPERATOR, Bounds.NONE, null)));
    return key.text();
  }
}
