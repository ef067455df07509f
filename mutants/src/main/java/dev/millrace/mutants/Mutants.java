package dev.millrace.mutants;

import dev.millrace.mutants.pit.PitRun;
import dev.millrace.mutants.result.Explanations;
import dev.millrace.mutants.result.Mutant;
import dev.millrace.mutants.result.Result;
import dev.millrace.mutants.result.Summary;
import dev.millrace.mutants.run.Repository;
import dev.millrace.mutants.run.SqlRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line. */
@Command(
    name = "millrace mutants",
    mixinStandardHelpOptions = true,
    description = "Plant mistakes one at a time, and list those that no test notices.")
public final class Mutants implements Callable<Integer> {

  private static final double ENGINE_GOAL = 95;
  private static final double SQL_GOAL = 90;

  /** The launcher says where the repository is. */
  private static final Path HOME = Path.of(System.getProperty("millrace.home", ""));

  @Option(names = "--engine", description = "Only those of the engine, made by PIT.")
  private boolean engineOnly;

  @Option(names = "--sql", description = "Only those of the SQL statements.")
  private boolean sqlOnly;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "CLASS",
      description = "Only those in these classes, such as JobSql,Lane.")
  private List<String> only = List.of();

  @Option(
      names = "--sample",
      paramLabel = "N",
      description = "Only so many SQL mutants, chosen by chance.")
  private int sample;

  @Option(names = "--seed", description = "Decides the sample; 1 by default.")
  private long seed = 1;

  @Option(
      names = "--survivors",
      description = "Only the SQL mutants that survived the last run, to see who is left.")
  private boolean survivors;

  @Option(
      names = "--at-once",
      paramLabel = "N",
      description = "How many mutants are tried at a time; 2 by default.")
  private int atOnce = 2;

  @Option(
      names = "--budget",
      paramLabel = "SECONDS",
      description = "Of tests for one SQL mutant, the shortest first; 60 by default.")
  private int budget = 60;

  private final Repository repository = new Repository(HOME.toAbsolutePath());

  public static void main(String[] args) {
    System.exit(new CommandLine(new Mutants()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    boolean good = true;
    if (!sqlOnly) {
      System.out.println("The engine, by PIT ...");
      List<Result> results = new PitRun(repository, only, atOnce).run();
      good &= report("engine", results, ENGINE_GOAL, true);
    }
    if (!engineOnly) {
      System.out.println("The statements of postgres ...");
      Set<String> last = survivors ? new HashSet<>(names("sql")) : Set.of();
      SqlRun.Scope scope =
          new SqlRun.Scope(mutant -> isWanted(mutant, last), sample, seed, atOnce, budget);
      List<Result> results = new SqlRun(repository, scope, System.out).run();
      good &= report("sql", results, SQL_GOAL, sample == 0 && !survivors);
    }
    return good ? 0 : 1;
  }

  private boolean isWanted(Mutant mutant, Set<String> last) {
    return (only.isEmpty() || only.contains(mutant.type()))
        && (!survivors || last.contains(mutant.name()));
  }

  private boolean report(String kind, List<Result> results, double goal, boolean whole)
      throws IOException {
    Explanations explanations =
        Explanations.read(HOME.resolve("mutants/explained-" + kind + ".txt"));
    Summary summary = new Summary(results, explanations);
    List<String> alive = Summary.survivors(results, explanations);
    Path file = repository.out().resolve("survivors-" + kind + ".txt");
    Files.write(file, alive);
    Files.write(
        repository.out().resolve("all-" + kind + ".txt"),
        results.stream()
            .map(result ->
                "%s | %s | %s".formatted(result.fate(), result.mutant().name(), result.detail()))
            .sorted()
            .toList());
    System.out.println(summary.table());
    alive.forEach(System.out::println);
    System.out.printf(
        "%n%.1f %% were noticed; the goal is %.0f %%. The survivors are in %s%n%n",
        summary.percent(), goal, file);
    List<String> stale = whole ? explanations.stale(results) : List.of();
    stale.forEach(name -> System.out.println("Explained, though nothing survives there: " + name));
    return summary.percent() >= goal && stale.isEmpty();
  }

  private List<String> names(String kind) throws IOException {
    return Files.readAllLines(repository.out().resolve("survivors-" + kind + ".txt")).stream()
        .filter(line -> !line.startsWith(" "))
        .toList();
  }
}
