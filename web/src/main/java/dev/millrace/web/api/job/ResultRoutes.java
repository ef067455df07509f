package dev.millrace.web.api.job;

import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.tenants.Visibility;
import dev.millrace.service.access.JobLinks;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Outputs by an address that stays, for clients that fetch them without a key. The code in it
 * stands for the job alone, so the pages of any origin may read what it leads to.
 */
public record ResultRoutes(JobLinks links, JobAnswers shown) {

  private static final Pattern PLACE = Pattern.compile("([0-9]{1,4})(?:\\.[a-z0-9]{1,8})?");

  public List<Route> routes() {
    return List.of(Route.get("/results/{code}/{place}", this::output));
  }

  private Response output(Request request) {
    JobView job =
        links
            .job(request.pathParameter("code"))
            .flatMap(id -> shown.jobs().find(Visibility.of(id.tenant()), id.uuid()))
            .orElseThrow(ProblemException::notFound);
    Matcher place = PLACE.matcher(request.pathParameter("place"));
    if (!place.matches()) {
      throw ProblemException.notFound();
    }
    return shown
        .toOutput(job, Integer.parseInt(place.group(1)), request)
        .header("Access-Control-Allow-Origin", "*");
  }
}
