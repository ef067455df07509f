package dev.millrace.web.console.admin;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.postgres.doctor.Doctor;
import dev.millrace.postgres.doctor.LawFinding;
import dev.millrace.postgres.money.LedgerView;
import dev.millrace.postgres.money.Wallets;
import dev.millrace.postgres.tenants.Users;
import dev.millrace.service.access.Scope;
import dev.millrace.service.money.Payments;
import dev.millrace.web.api.admin.Payment;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.console.frame.PageAccess;
import dev.millrace.web.console.frame.Visit;
import dev.millrace.web.console.job.JobList;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Wallets, their history, and the proof that the books are right. */
public final class MoneyPages {

  private static final int PAGE = 50;

  private final PageAccess doors;
  private final Wallets wallets;
  private final Users users;
  private final Payments payments;
  private final Doctor doctor;

  public MoneyPages(
      PageAccess doors, Wallets wallets, Users users, Payments payments, Doctor doctor) {
    this.doors = doors;
    this.wallets = wallets;
    this.users = users;
    this.payments = payments;
    this.doctor = doctor;
  }

  public List<Route> routes() {
    return List.of(
        doors.page("/console/wallet", Scope.WALLET_READ, this::wallet),
        doors.page("/console/ledger", Scope.USERS_READ, this::ledger),
        doors.deed("/console/ledger/credit", Scope.USERS_WRITE, this::credit),
        doors.deed("/console/ledger/proof", Scope.DOCTOR_READ, this::proof));
  }

  private Response wallet(Visit visit) {
    String user =
        visit.may(Scope.USERS_READ) && !visit.query("user").isEmpty()
            ? visit.query("user")
            : visit.user();
    String before = visit.query("before");
    List<LedgerView> lines =
        wallets.ledger(visit.tenant(), user, before.isEmpty() ? null : number(before), PAGE);
    Map<String, Object> model = new HashMap<>();
    model.put("page", visit.page("Wallet", "wallet"));
    model.put("user", user);
    model.put("balance", wallets.balance(visit.tenant(), user));
    model.put("lines", lines);
    model.put("next", lines.size() < PAGE ? "" : Long.toString(lines.getLast().id()));
    return doors.html().page(200, "wallet", model);
  }

  private static Long number(String text) {
    if (!text.matches("[0-9]{1,18}")) {
      throw ProblemException.notFound();
    }
    return Long.valueOf(text);
  }

  private Response ledger(Visit visit) {
    return ledger(visit, null);
  }

  private Response ledger(Visit visit, @Nullable List<LawFinding> proof) {
    String prefix = visit.query("prefix");
    List<Users.Standing> found = users.list(visit.tenant(), prefix, visit.query("after"), PAGE);
    Map<String, Object> model = new HashMap<>();
    model.put("page", visit.page("Ledger", "ledger"));
    model.put("users", found);
    model.put("prefix", prefix);
    model.put("next", found.size() < PAGE ? "" : JobList.encoded(found.getLast().userId()));
    model.put("key", UuidCreator.getTimeOrderedEpoch().toString());
    model.put("proof", proof);
    return doors.html().page(200, "ledger", model);
  }

  private Response credit(Visit visit) {
    String note = visit.field("note");
    var body =
        JsonMapper.shared()
            .createObjectNode()
            .put("user", visit.field("user"))
            .put("amount", number(visit.field("amount")))
            .put("idempotency_key", visit.field("key"));
    if (!note.isEmpty()) {
      body.put("note", note);
    }
    Payment payment = Payment.credit(body, visit.request(), visit.principal());
    Refusals.requireBooked(
        payments.credit(
            visit.principal(), payment.user(), payment.amount(), payment.key(), payment.note()));
    return visit.to("/console/ledger?done=credited");
  }

  /** Every invariant, examined now on the running system. */
  private Response proof(Visit visit) {
    return ledger(visit, doctor.examine());
  }
}
