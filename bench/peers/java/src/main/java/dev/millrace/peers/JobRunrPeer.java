package dev.millrace.peers;

import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.scheduling.BackgroundJobRequest;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;

/** JobRunr: many workers, and the shortest polling interval that its free edition allows. */
final class JobRunrPeer implements Peer {

  private static volatile Consumer<String> handler = _ -> {};

  /** What is stored. */
  public record Job(String payload) implements JobRequest {
    @Override
    public Class<Handler> getJobRequestHandler() {
      return Handler.class;
    }
  }

  /** What runs it; JobRunr makes one for each job. */
  public static final class Handler implements JobRequestHandler<Job> {
    @Override
    public void run(Job job) {
      handler.accept(job.payload());
    }
  }

  @Override
  public int connections() {
    return 40;
  }

  @Override
  public void create(DataSource database) {
    open(database);
  }

  @Override
  public void open(DataSource database) {
    JobRunr.configure().useStorageProvider(new PostgresStorageProvider(database)).initialize();
  }

  @Override
  public void submit(String payload) {
    BackgroundJobRequest.enqueue(new Job(payload));
  }

  @Override
  public void work(DataSource database, Consumer<String> work) {
    handler = work;
    JobRunr.configure()
        .useStorageProvider(new PostgresStorageProvider(database))
        .useBackgroundJobServer(
            BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                .andPollIntervalInSeconds(5)
                .andWorkerCount(64))
        .initialize();
  }
}
