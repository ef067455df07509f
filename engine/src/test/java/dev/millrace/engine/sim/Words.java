package dev.millrace.engine.sim;

import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.command.SubmitMany;
import dev.millrace.engine.command.TopUp;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Short words for the log; only what a seed decides, never a number that a database made up. */
final class Words {

  private Words() {}

  static String of(JobId id) {
    return "j" + id.tenant() + "." + id.uuid().getLeastSignificantBits();
  }

  static String of(UUID token) {
    return "t" + token.getLeastSignificantBits();
  }

  static String of(Job job) {
    return of(job.id())
        + " "
        + job.state().label()
        + " e"
        + job.events()
        + " a"
        + job.tries().attempts()
        + " f"
        + job.tries().failures()
        + " i"
        + job.tries().interruptions()
        + " held "
        + job.hold().amount()
        + (job.hold().open() ? "" : " kept " + job.hold().captured())
        + " until "
        + job.times().deadlineAt();
  }

  static String of(@Nullable Object thing) {
    return switch (thing) {
      case null -> "nothing";
      case SubmitJob submit ->
          "submit "
              + of(submit.jobId())
              + " "
              + submit.owner().user()
              + " e"
              + submit.terms().effectId()
              + " "
              + submit.identity().key()
              + " "
              + submit.identity().fingerprint()
              + (submit.denial() == null ? "" : " denied");
      case SubmitMany many ->
          many.owner().user()
              + " "
              + many.key()
              + (many.atomic() ? " all " : " ")
              + of(many.jobs());
      case SubmitMany.Result.Decided(var _, boolean stored, var results) ->
          "stored " + stored + of(results);
      case SubmitMany.Result.Replayed(UUID batch) -> "replayed " + of(batch);
      case SubmitMany.Result.KeyMismatch(UUID batch) -> "mismatch " + of(batch);
      case SubmitJob.Result.Blocked(Job job, var _) -> "blocked " + of(job);
      case Report.Result.NoSuchItems(var items) -> "no such items " + items.size();
      case Report.Approve approve ->
          "approve "
              + of(approve.job())
              + (approve.items() == null ? " all" : " " + approve.items().size())
              + (approve.followUp() == null ? "" : " follow " + of(approve.followUp().id()));

      case SubmitJob.Result.Accepted(Job job) -> "accepted " + of(job);
      case SubmitJob.Result.Replayed(JobId job) -> "replayed " + of(job);
      case SubmitJob.Result.KeyMismatch(JobId job) -> "mismatch " + of(job);
      case TopUp topUp -> "pay " + topUp.owner() + " " + topUp.amount() + " " + topUp.key();
      case TopUp.Result.Booked(var wallet) -> "booked " + wallet.balance();
      case TopUp.Result.Replayed(var wallet) -> "booked before " + wallet.balance();
      case TopUp.Result.TooRich _ -> "too rich";
      case LeaseJobs lease -> lease.worker() + " wants " + lease.max() + lease.workflowIds();
      case LeaseJobs.Leased leased -> of(leased.job()) + " " + of(leased.token());
      case List<?> list -> list.stream().map(Words::of).toList().toString();
      case Report.Deciding report when report.cause() != null ->
          kind(report) + " " + of(report.job()) + " by " + report.cause().event();
      case Report.ByLease report ->
          kind(report) + " " + of(report.job()) + " " + of(report.token());
      case Report.LoseLease lost ->
          "lose " + of(lost.job()) + " " + of(lost.token()) + (lost.abandoned() ? " gone" : "");
      case Report report -> kind(report) + " " + of(report.job());
      case Report.Result.Done(Job job) -> "done " + of(job);
      default -> thing.toString();
    };
  }

  private static String kind(Report report) {
    return report.getClass().getSimpleName();
  }
}
