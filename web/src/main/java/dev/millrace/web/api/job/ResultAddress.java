package dev.millrace.web.api.job;

import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.access.JobLinks;
import dev.millrace.spi.MediaTypes;
import java.net.URI;

/** Where {@link ResultRoutes} answers with an output. */
public final class ResultAddress {

  private ResultAddress() {}

  /**
   * The address of an output.
   *
   * @param base how whoever asks knows this server
   */
  public static String of(JobLinks links, JobView job, int index, FileView file, URI base) {
    String root = base.toString();
    return "%s%sresults/%s/%d.%s"
        .formatted(
            root,
            root.endsWith("/") ? "" : "/",
            links.code(new JobId(job.request().tenantId(), job.id())),
            index,
            MediaTypes.extension(file.content().mediaType()));
  }
}
