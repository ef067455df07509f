package dev.millrace.mutants.pit;

import dev.millrace.mutants.result.Mutant;
import dev.millrace.mutants.result.Result;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** Reads what PIT wrote. A place is the text of its line, which survives changes above it. */
final class PitReport {

  private final Path sources;
  private final Map<Path, List<String>> files = new HashMap<>();
  private final Map<Mutant, Integer> names = new HashMap<>();

  private PitReport(Path sources) {
    this.sources = sources;
  }

  static List<Result> read(String xml, Path sources) throws IOException {
    PitReport report = new PitReport(sources);
    NodeList nodes = mutations(xml);
    List<Element> mutations = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      mutations.add((Element) nodes.item(i));
    }
    mutations.sort(
        Comparator.<Element, String>comparing(mutation -> text(mutation, "mutatedClass"))
            .thenComparingInt(mutation -> Integer.parseInt(text(mutation, "lineNumber")))
            .thenComparingInt(mutation -> Integer.parseInt(text(mutation, "index"))));
    List<Result> results = new ArrayList<>();
    for (Element mutation : mutations) {
      results.add(report.result(mutation));
    }
    return results;
  }

  private static NodeList mutations(String xml) throws IOException {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(new InputSource(new StringReader(xml)))
          .getElementsByTagName("mutation");
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("PIT's report can't be read", e);
    }
  }

  private Result result(Element mutation) throws IOException {
    String name = text(mutation, "mutatedClass");
    String type = name.substring(name.lastIndexOf('.') + 1);
    int line = Integer.parseInt(text(mutation, "lineNumber"));
    Path file =
        sources
            .resolve(name.substring(0, name.lastIndexOf('.')).replace('.', '/'))
            .resolve(text(mutation, "sourceFile"));
    Mutant mutant =
        unique(
            new Mutant(
                type.replaceFirst("\\$.*", ""),
                text(mutation, "mutatedMethod").replaceAll("lambda\\$(\\w+)\\$\\d+", "$1"),
                shortened(text(mutation, "description")),
                line(file, line)));
    Result.Verdict fate =
        switch (mutation.getAttribute("status")) {
          case "SURVIVED" -> Result.Verdict.SURVIVED;
          case "NO_COVERAGE" -> Result.Verdict.NO_TEST;
          case "TIMED_OUT" -> Result.Verdict.TIMED_OUT;
          default -> Result.Verdict.KILLED;
        };
    String detail =
        fate == Result.Verdict.NO_TEST
            ? "no test executes line " + line
            : "line %d, %s tests".formatted(line, mutation.getAttribute("numberOfTestsRun"));
    return new Result(mutant, fate, detail);
  }

  /** Several of a kind on one line are told apart by their order, which is that of the bytecode. */
  private Mutant unique(Mutant mutant) {
    int count = names.merge(mutant, 1, Integer::sum);
    return count == 1
        ? mutant
        : new Mutant(
            mutant.type(), mutant.member(), mutant.mistake(), mutant.place() + " #" + count);
  }

  private static String shortened(String description) {
    return description.replaceAll("[\\w/$]+/(\\w+)", "$1").replaceAll(" for \\S+$", "");
  }

  private String line(Path file, int number) throws IOException {
    List<String> lines = files.get(file);
    if (lines == null) {
      lines = Files.readAllLines(file);
      files.put(file, lines);
    }
    return lines.get(number - 1).strip();
  }

  private static String text(Element parent, String name) {
    return parent.getElementsByTagName(name).item(0).getTextContent();
  }
}
