package dev.millrace.web.api.job;

import dev.millrace.postgres.jobs.ActiveFirst;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.jobs.Jobs;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * In which order a list of jobs comes, and where in it the next page begins.
 *
 * @param activeFirst whether those that have not ended come before all others
 * @param ended whether the page before had come to those that are over
 */
record JobOrder(boolean activeFirst, boolean ended, @Nullable UUID before) {

  private static final String ACTIVE = "active-";
  private static final String ENDED = "ended-";

  static JobOrder of(Request request) {
    return switch (request.query("order").orElse("newest")) {
      case "newest" -> new JobOrder(false, false, Params.cursor(request));
      case "active_first" ->
          request.query("cursor").map(JobOrder::after).orElse(new JobOrder(true, false, null));
      default -> throw ProblemException.invalid("order", "must be newest or active_first");
    };
  }

  private static JobOrder after(String cursor) {
    boolean ended = cursor.startsWith(ENDED);
    if (!ended && !cursor.startsWith(ACTIVE)) {
      throw Params.badCursor();
    }
    String id = cursor.substring(ended ? ENDED.length() : ACTIVE.length());
    return new JobOrder(true, ended, Params.uuid(id).orElseThrow(Params::badCursor));
  }

  List<JobView> list(Jobs jobs, Jobs.Filter filter) {
    return activeFirst ? ActiveFirst.list(jobs, filter, ended) : jobs.list(filter);
  }

  String cursor(JobView last) {
    String phase = !activeFirst ? "" : last.state().terminal() ? ENDED : ACTIVE;
    return phase + last.id();
  }
}
