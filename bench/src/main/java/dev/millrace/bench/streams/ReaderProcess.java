package dev.millrace.bench.streams;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/** {@link Readers} as a process, seen from the one that started it. */
public final class ReaderProcess implements AutoCloseable {

  private final Process process;
  private final BufferedReader from;
  private final BufferedWriter to;

  /**
   * What was heard.
   *
   * @param broken streams that ended before their time
   */
  public record ReadCounts(long events, double p50, double p99, int broken) {}

  public ReaderProcess(int port, String authorization) throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Readers.class.getName(),
                Integer.toString(port),
                authorization)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    from = process.inputReader(StandardCharsets.UTF_8);
    to = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** Opens a stream of each job and answers how many are open. */
  public int open(List<UUID> jobs) throws IOException {
    for (UUID job : jobs) {
      to.write(job + "\n");
    }
    to.write("\n");
    to.flush();
    return Integer.parseInt(line().substring("open ".length()));
  }

  /** Ends the streams. */
  public ReadCounts finish() throws IOException {
    to.write("finish\n");
    to.flush();
    List<String> words = List.of(line().split(" ", -1));
    return new ReadCounts(
        Long.parseLong(words.get(0)),
        Double.parseDouble(words.get(1)),
        Double.parseDouble(words.get(2)),
        Integer.parseInt(words.get(3)));
  }

  private String line() throws IOException {
    String line = from.readLine();
    if (line == null) {
      throw new EOFException("the process that reads the streams has died");
    }
    return line;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
