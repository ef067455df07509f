package dev.millrace.bench.http;

import java.io.IOException;
import java.util.List;

/** What another Java process keeps on its heap after a full collection. */
public final class LiveHeap {

  private LiveHeap() {}

  /** In bytes: the sum of a histogram of live objects. */
  public static long bytes(long pid) throws IOException, InterruptedException {
    String said = Jcmd.ask(pid, "GC.class_histogram");
    List<String> words =
        said.lines()
            .filter(line -> line.startsWith("Total"))
            .map(line -> line.strip().replaceAll(".*\\s", ""))
            .toList();
    if (words.isEmpty()) {
      throw new IOException("no histogram of the server's heap: " + said);
    }
    return Long.parseLong(words.getLast());
  }
}
