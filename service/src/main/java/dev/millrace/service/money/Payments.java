package dev.millrace.service.money;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.TopUp;
import dev.millrace.engine.money.Wallet;
import dev.millrace.postgres.tenants.Audit;
import dev.millrace.service.access.Principal;
import dev.millrace.service.jobs.Reasons;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Credits that come from outside: payments of users, and corrections by an admin. */
public final class Payments {

  private final Engine engine;
  private final Audit audit;

  public Payments(Engine engine, Audit audit) {
    this.engine = engine;
    this.audit = audit;
  }

  /**
   * A payment.
   *
   * @param key the same key books the same payment once
   */
  public TopUp.Result credit(
      Principal by, String user, long amount, String key, @Nullable String note) {
    @Nullable String shown = note == null ? null : Reasons.shown(note);
    return booked(by, new TopUp(owner(by, user), amount, key, shown), "wallet.credit");
  }

  /** The correction of a payment, or a gift: up or down, never below zero, always with a reason. */
  public TopUp.Result adjust(Principal by, String user, long amount, String key, String reason) {
    String shown = Reasons.shown(reason);
    return booked(by, TopUp.adjustment(owner(by, user), amount, key, shown), "wallet.adjust");
  }

  private static Wallet.Owner owner(Principal by, String user) {
    return new Wallet.Owner(by.tenant(), user);
  }

  private TopUp.Result booked(Principal by, TopUp wanted, String action) {
    TopUp.Result result = engine.topUp(wanted);
    if (result instanceof TopUp.Result.Booked) {
      String detail =
          JsonMapper.shared()
              .createObjectNode()
              .put("amount", wanted.amount())
              .put("key", wanted.key())
              .put("note", wanted.note())
              .toString();
      audit.write(by.audit(action, wanted.owner().user(), detail));
    }
    return result;
  }
}
