package dev.millrace.web;

import dev.millrace.postgres.Database;
import dev.millrace.service.Services;
import dev.millrace.web.api.Api;
import dev.millrace.web.api.job.JobAnswers;
import dev.millrace.web.api.job.SubmitAnswers;
import dev.millrace.web.api.json.FileJson;
import dev.millrace.web.console.Console;
import dev.millrace.web.http.Route;
import java.util.ArrayList;
import java.util.List;

/** Everything that the server answers: the API, and the console beside it. */
public final class WebRoutes {

  private WebRoutes() {}

  public static List<Route> of(Services services, Api.Edge edge) {
    Database database = services.database();
    FileJson files =
        new FileJson(services.files().store(), edge.urlTtl(), edge.publicUrl(), edge.clock());
    SubmitAnswers answers =
        new SubmitAnswers(new JobAnswers(database.jobs(), database.files(), files), edge.clock());
    List<Route> all = new ArrayList<>(new Api(services, edge, answers).routes());
    all.addAll(new Console(services, edge, answers).routes());
    return List.copyOf(all);
  }
}
