package dev.millrace.cli.fake;

/** Batches and tasks as the API answers them, as small as they can be. */
public final class BulkSamples {

  public static final String BATCH = "0197f0c1-0000-7000-8000-0000000000ba";
  public static final String TASK = "0197f0c1-0000-7000-8000-00000000007a";

  private BulkSamples() {}

  /**
   * A batch of three jobs.
   *
   * @param counts the fields of an object, such as {@code "queued":3}
   */
  public static String batch(String counts, boolean finished) {
    return """
    {"id":"%s","user":"default","mode":"all_or_nothing","size":3,
     "created_at":"2026-03-01T11:59:00Z","finished":%s,"counts":{%s},
     "credits":{"held":1500,"captured":0,"refunded":0}}\
    """
        .formatted(BATCH, finished, counts)
        .replace("\n", "");
  }

  /** The same with what became of each request. */
  public static String submitted(String counts, String results) {
    String batch = batch(counts, false);
    return batch.substring(0, batch.length() - 1) + ",\"results\":[" + results + "]}";
  }

  public static String event(String batch) {
    return "event: batch\ndata: " + batch + "\n\n";
  }

  /** A task that has seen some of its jobs. */
  public static String task(String state, int seen, int failed, String finishedAt) {
    return """
    {"id":"%s","action":"cancel","filter":{"state":["queued"]},"state":"%s","seen":%d,"done":%d,
     "skipped":0,"failed":%d,"credits":10,"actor":"key:mr_test","created_at":"2026-03-01T11:59:00Z",
     "finished_at":%s}
    """
        .formatted(TASK, state, seen, seen - failed, failed, finishedAt);
  }

  public static String quote(String action, long jobs, long credits) {
    return """
    {"action":"%s","filter":{"state":["queued"]},"jobs":%d,"credits":%d}
    """
        .formatted(action, jobs, credits);
  }
}
