package dev.millrace.web.api.fleet;

import dev.millrace.postgres.fleet.HeldLease;
import dev.millrace.service.files.UploadedOutputs;
import dev.millrace.service.files.UploadedOutputs.Placement;
import dev.millrace.service.fleet.WorkerFiles;
import dev.millrace.service.fleet.WorkerReports;
import dev.millrace.service.fleet.WorkerReports.Claimed;
import dev.millrace.service.fleet.WorkerTokens.Caller;
import dev.millrace.storage.PartPlan;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;

/** Places for what a worker brings. */
public final class WorkerUploadRoutes {

  private final WorkerAccess access;
  private final WorkerReports reports;
  private final WorkerFiles files;
  private final WorkerUrls urls;

  public WorkerUploadRoutes(
      WorkerAccess access, WorkerReports reports, WorkerFiles files, WorkerUrls urls) {
    this.access = access;
    this.reports = reports;
    this.files = files;
    this.urls = urls;
  }

  public List<Route> routes() {
    return List.of(
        access.known("upload", this::upload), access.known("upload/parts", this::uploadParts));
  }

  private Response upload(Request request, Caller caller) {
    Body body = WorkerReader.body(request, "media_type", "size", "sha256");
    Claimed claimed = WorkerReader.claimed(body, caller.id());
    UploadedOutputs.Claim claim = WorkerReader.announced(body);
    body.requireGood();
    WorkerFiles.Terms terms = urls.of(request);
    return switch (files.upload(held(claimed), claim, terms)) {
      case Placement.Open(UploadedOutputs.Place place) ->
          Response.json(200, WorkerJson.whole(place, terms.base()));
      case Placement.OpenInParts(UploadedOutputs.PartedPlace place) ->
          Response.json(200, WorkerJson.parts(place, terms.base()));
      case Placement.Refused(var why) -> throw FleetProblems.outputRefused(why.message());
    };
  }

  private Response uploadParts(Request request, Caller caller) {
    Body body = WorkerReader.body(request, "key", "upload_id", "size", "part_bytes", "numbers");
    Claimed claimed = WorkerReader.claimed(body, caller.id());
    WorkerReader.Parts parts = WorkerReader.parts(body);
    body.requireGood();
    WorkerFiles.Terms terms = urls.of(request);
    return files
        .renewParts(
            held(claimed),
            parts.key(),
            parts.uploadId(),
            new PartPlan(parts.size(), parts.partBytes()),
            parts.numbers(),
            terms)
        .map(place -> Response.json(200, WorkerJson.parts(place, terms.base())))
        .orElseThrow(FleetProblems::noSuchPlace);
  }

  private HeldLease held(Claimed claimed) {
    return reports.held(claimed).orElseThrow(FleetProblems::staleLease);
  }
}
