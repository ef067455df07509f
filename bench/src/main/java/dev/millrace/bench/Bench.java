package dev.millrace.bench;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import dev.millrace.bench.load.Sizes;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of the benchmark. */
@Command(
    name = "millrace bench",
    mixinStandardHelpOptions = true,
    description = "Measure Millrace on this machine, and judge its targets.")
public final class Bench implements Callable<Integer> {

  /** The launcher says where the repository is. */
  private static final Path HOME = Path.of(System.getProperty("millrace.home", ""));

  @Option(names = "--quick", description = "A short run of a few minutes, good for a glance.")
  private boolean quick;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "LETTER",
      description = "Only these scenarios, such as b,c,f.")
  private Set<String> only = Set.of();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where bench.json, bench.svg and the databases go; target/bench by default.")
  private Path out = HOME.resolve("target").resolve("bench");

  @Option(names = "--peers", description = "Measure other job queues beside it.")
  private boolean peers;

  public static void main(String[] args) {
    System.exit(new CommandLine(new Bench()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.WARN);
    Sizes sizes = quick ? Sizes.QUICK : Sizes.THOROUGH;
    return new Run(sizes, only, peers, HOME, out.toAbsolutePath(), System.out, System.err).run();
  }
}
