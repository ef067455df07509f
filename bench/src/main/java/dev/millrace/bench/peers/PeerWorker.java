package dev.millrace.bench.peers;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A peer's process that works. */
final class PeerWorker implements AutoCloseable {

  private final Process process;
  private final BufferedReader from;
  private final BufferedWriter to;

  PeerWorker(ProcessBuilder builder) throws IOException {
    process = builder.start();
    from = process.inputReader(StandardCharsets.UTF_8);
    to = process.outputWriter(StandardCharsets.UTF_8);
    String line = read();
    while (!line.equals("ready")) {
      line = read();
    }
  }

  /** Waits until it has handled so many. */
  void await(long jobs, long patienceNanos) throws IOException, InterruptedException {
    long start = System.nanoTime();
    while (Long.parseLong(ask("count")) < jobs) {
      if (System.nanoTime() - start > patienceNanos) {
        throw new IOException("it did not handle " + jobs + " jobs in time");
      }
      Thread.sleep(20);
    }
  }

  /** Half of the jobs waited no longer than this, in milliseconds. */
  double median() throws IOException {
    return Double.parseDouble(ask("times"));
  }

  private String ask(String question) throws IOException {
    to.write(question + "\n");
    to.flush();
    return read();
  }

  private String read() throws IOException {
    String line = from.readLine();
    if (line == null) {
      throw new EOFException("the worker has died");
    }
    return line;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
