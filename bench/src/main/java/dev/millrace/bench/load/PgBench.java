package dev.millrace.bench.load;

import dev.millrace.bench.measure.MeasureWords;
import dev.millrace.bench.measure.Sheet;
import dev.millrace.bench.place.Site;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** PostgreSQL's own benchmark (TPC-B), if this machine has it. */
public final class PgBench {

  private static final Pattern RATE = Pattern.compile("tps = ([0-9.]+)");
  private static final Path DEBIAN = Path.of("/usr/lib/postgresql");

  private final Site site;

  public PgBench(Site site) {
    this.site = site;
  }

  public void run(Sizes sizes, Sheet sheet) throws IOException, InterruptedException {
    Optional<Path> program = find();
    if (program.isEmpty()) {
      sheet.note("There is no pgbench on this machine, so its TPC-B is missing.");
      return;
    }
    String database = site.emptyDatabase();
    try {
      call(program.get(), database, "-i", "-q", "-s", "10");
      String seconds = Long.toString(Math.max(1, sizes.span().measure().toSeconds()));
      for (int clients : List.of(1, 8)) {
        String count = Integer.toString(clients);
        String threads = Integer.toString(Math.min(2, clients));
        String said =
            call(program.get(), database, "-n", "-T", seconds, "-c", count, "-j", threads);
        OptionalDouble rate = rate(said);
        if (rate.isPresent()) {
          String label = "pgbench TPC-B, " + MeasureWords.count(clients, "client");
          sheet.add("i.pgbench." + clients, label, rate.getAsDouble(), "tx/s");
        } else {
          sheet.note("pgbench did not say a rate: " + said.lines().findFirst().orElse(""));
        }
      }
    } finally {
      site.drop(database);
    }
  }

  static OptionalDouble rate(String said) {
    Matcher found = RATE.matcher(said);
    return found.find()
        ? OptionalDouble.of(Double.parseDouble(found.group(1)))
        : OptionalDouble.empty();
  }

  private String call(Path program, String database, String... options)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(program.toString()));
    words.addAll(
        List.of("-h", "127.0.0.1", "-p", Integer.toString(site.port()), "-U", site.user()));
    words.addAll(List.of(options));
    words.add(database);
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().put("PGPASSWORD", site.password());
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }

  private static Optional<Path> find() throws IOException {
    List<Path> places = new ArrayList<>();
    for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
      places.add(Path.of(folder));
    }
    if (Files.isDirectory(DEBIAN)) {
      try (Stream<Path> versions = Files.list(DEBIAN)) {
        versions.sorted(Comparator.reverseOrder()).map(v -> v.resolve("bin")).forEach(places::add);
      }
    }
    return places.stream()
        .map(place -> place.resolve("pgbench"))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
