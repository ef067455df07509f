package dev.millrace.bench.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Asks another Java process about itself. */
final class Jcmd {

  private Jcmd() {}

  static String ask(long pid, String command) throws IOException, InterruptedException {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Process process =
        new ProcessBuilder(jcmd, Long.toString(pid), command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }

  /** One of the counters that its Java machine keeps. */
  static double counter(long pid, String name) throws IOException, InterruptedException {
    String start = name + "=";
    String counters = ask(pid, "PerfCounter.print");
    return counters
        .lines()
        .filter(line -> line.startsWith(start))
        .mapToDouble(line -> Double.parseDouble(line.substring(start.length())))
        .findFirst()
        .orElseThrow(() -> new IOException("it does not tell " + name + ": " + counters));
  }
}
