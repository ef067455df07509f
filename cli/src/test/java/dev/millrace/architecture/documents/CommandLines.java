package dev.millrace.architecture.documents;

import dev.millrace.cli.Millrace;
import dev.millrace.cli.shell.Surroundings;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;

/** Commands as pages write them, tried on the parser of the program without running any. */
final class CommandLines {

  private static final Pattern COMMAND =
      Pattern.compile("(?:^|\\$ |\\$\\(|; |&& )(?:\\./)?millrace ((?:\"[^\"]*\"|[^#)|;&>\"])*)");
  private static final Pattern WORD = Pattern.compile("((?:\"[^\"]*\"|'[^']*'|[^\\s\"'])+)");

  /** Words that stand for a number. */
  private static final Pattern NUMBER = Pattern.compile("AMOUNT|SECONDS");

  private CommandLines() {}

  /** The command lines in a piece of code, each without the program's name. */
  static List<String> in(String code) {
    List<String> found = new ArrayList<>();
    Matcher commands = COMMAND.matcher(code);
    while (commands.find()) {
      found.add(commands.group(1).strip());
    }
    return found;
  }

  /** What the parser has against the command; empty if it can be typed like this. */
  static Optional<String> complaint(String command) {
    String[] words = words(command);
    if (words.length == 0) {
      return Optional.of("no command");
    }
    try {
      root().parseArgs(words);
      return Optional.empty();
    } catch (MissingParameterException e) {
      // A sentence may name a command without its arguments.
      return isName(words) ? Optional.empty() : Optional.of(String.valueOf(e.getMessage()));
    } catch (ParameterException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private static boolean isName(String... words) {
    CommandLine command = root();
    for (String word : words) {
      command = command.getSubcommands().get(word);
      if (command == null) {
        return false;
      }
    }
    return true;
  }

  static CommandLine root() {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    return Millrace.commandLine(
        new Surroundings(
            InputStream.nullInputStream(),
            nowhere,
            nowhere,
            new Surroundings.Terminals(false, false, false),
            Map.of(),
            Clock.systemUTC(),
            _ -> {}));
  }

  static String[] words(String command) {
    return WORD.matcher(command.replace("...", " "))
        .results()
        .map(word -> word.group(1).replaceAll("[\"']", ""))
        .map(word -> NUMBER.matcher(word).matches() ? "1" : word)
        .map(word -> word.equals("COMMAND") ? "run" : word)
        .toArray(String[]::new);
  }
}
