package dev.millrace.web.api.fleet;

import dev.millrace.service.fleet.LeaseTimes;
import dev.millrace.service.fleet.WorkerFiles;
import dev.millrace.web.api.request.PublicUrl;
import dev.millrace.web.http.Request;

/** What the URLs that workers get are made of. They live as long as the lease that they are for. */
public record WorkerUrls(PublicUrl publicUrl, LeaseTimes leases) {

  public WorkerFiles.Terms of(Request request) {
    return new WorkerFiles.Terms(leases.lease(), publicUrl.of(request));
  }
}
