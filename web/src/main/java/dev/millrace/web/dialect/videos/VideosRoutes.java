package dev.millrace.web.dialect.videos;

import dev.millrace.service.files.FileUploads;
import dev.millrace.service.fleet.Fleet;
import dev.millrace.service.jobs.OfferedEffects;
import dev.millrace.service.jobs.Offers;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.fleet.WorkerAccess;
import dev.millrace.web.api.fleet.WorkerJson;
import dev.millrace.web.api.fleet.WorkerUrls;
import dev.millrace.web.api.job.SubmitAnswers;
import dev.millrace.web.api.job.Submits;
import dev.millrace.web.api.request.DatabaseProblems;
import dev.millrace.web.http.Route;
import java.util.List;
import java.util.stream.Stream;

/** All routes of the dialect. */
public final class VideosRoutes {

  private VideosRoutes() {}

  /** Those of the clients. */
  public static List<Route> ofClients(
      Authentication authentication,
      Offers offers,
      OfferedEffects effects,
      FileUploads uploads,
      Submits submits,
      SubmitAnswers answers,
      VideoRoutes.Limits limits) {
    VideosJson json = new VideosJson(effects, answers.shown().fileJson());
    return Stream.of(
            new VideoRoutes(authentication, uploads, answers.shown(), json, limits).routes(),
            new AiJobRoutes(authentication, offers, submits, answers).routes())
        .flatMap(List::stream)
        .map(route -> route.behind(DatabaseProblems.asProblems()).behind(Envelope::filter))
        .toList();
  }

  /** Those of the workers. */
  public static List<Route> ofWorkers(
      WorkerAccess access,
      Fleet.UseCases fleet,
      WorkerUrls urls,
      WorkerJson workers,
      WorkerJobJson jobs) {
    return new VideoWorkerRoutes(access, fleet, urls, workers, jobs)
        .routes().stream()
            .map(route -> route.behind(DatabaseProblems.asProblems()).behind(Envelope::filter))
            .toList();
  }
}
