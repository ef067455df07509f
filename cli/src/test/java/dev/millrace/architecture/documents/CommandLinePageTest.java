package dev.millrace.architecture.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.shell.ExitCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The page about the command line tells of the commands and exit codes that there are. */
class CommandLinePageTest {

  private static final Pattern SPAN = Pattern.compile("`([^`]+)`");

  private final Page page;

  CommandLinePageTest() throws IOException {
    page =
        Page.all().stream()
            .filter(one -> one.path().equals("docs/cli.md"))
            .findFirst()
            .orElseThrow();
  }

  /** One row's commands, such as {@code webhooks enable|disable ID}, each by itself. */
  private static List<String> commands(List<String> row) {
    return SPAN.matcher(row.getFirst())
        .results()
        .flatMap(span -> alternatives(span.group(1).replace("\\|", "|")))
        .toList();
  }

  private static Stream<String> alternatives(String command) {
    return Arrays.stream(command.split(" ", -1))
        .map(word -> List.of(word.split("\\|", -1)))
        .reduce(
            List.of(""),
            (heads, tails) ->
                heads.stream()
                    .flatMap(head -> tails.stream().map(tail -> (head + " " + tail).strip()))
                    .toList())
        .stream();
  }

  private List<List<String>> rows() {
    return page.rows().stream()
        .filter(row -> row.getFirst().startsWith("`") && !row.getFirst().startsWith("`-"))
        .toList();
  }

  @Test
  void every_command_in_its_tables_can_be_typed_and_has_the_options_it_tells_of() {
    List<String> wrong = new ArrayList<>();
    for (List<String> row : rows()) {
      for (String command : commands(row)) {
        CommandLines.complaint(command).ifPresent(why -> wrong.add(command + ": " + why));
      }
      SPAN.matcher(row.get(1))
          .results()
          .map(span -> span.group(1).split(" ", 2)[0])
          .filter(word -> word.startsWith("-"))
          .filter(option -> commands(row).stream().noneMatch(command -> has(command, option)))
          .forEach(option -> wrong.add(row.getFirst() + " has no " + option));
    }
    assertThat(wrong).isEmpty();
  }

  private static boolean has(String command, String option) {
    return leaf(command).getCommandSpec().findOption(option) != null;
  }

  private static CommandLine leaf(String command) {
    CommandLine leaf = CommandLines.root();
    for (String word : CommandLines.words(command)) {
      leaf = leaf.getSubcommands().getOrDefault(word, leaf);
    }
    return leaf;
  }

  @Test
  void every_command_of_the_program_is_in_its_tables() {
    Set<String> told =
        rows().stream()
            .flatMap(row -> commands(row).stream())
            .map(command -> leaf(command).getCommandSpec().qualifiedName(" "))
            .collect(Collectors.toSet());
    Set<String> known = new TreeSet<>();
    collect(CommandLines.root(), known);
    assertThat(told).containsAll(known);
  }

  /** A command that only holds others is told of by them; listing is what the bare one does. */
  private static void collect(CommandLine command, Set<String> known) {
    for (Map.Entry<String, CommandLine> one : command.getSubcommands().entrySet()) {
      if (!one.getKey().equals("list")) {
        collect(one.getValue(), known);
        if (one.getValue().getSubcommands().isEmpty()) {
          known.add(one.getValue().getCommandSpec().qualifiedName(" "));
        }
      }
    }
  }

  @Test
  void its_table_of_exit_codes_is_that_of_the_program() {
    List<List<String>> told =
        page.rows().stream()
            .filter(row -> row.getFirst().matches("[0-9]+"))
            .map(row -> row.subList(0, 2))
            .toList();
    List<List<String>> known =
        ExitCode.meanings().entrySet().stream()
            .map(exit -> List.of(exit.getKey(), exit.getValue()))
            .toList();
    assertThat(told).isEqualTo(known);
  }
}
