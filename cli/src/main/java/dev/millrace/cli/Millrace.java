package dev.millrace.cli;

import dev.millrace.cli.command.admin.AuditCommand;
import dev.millrace.cli.command.admin.DoctorCommand;
import dev.millrace.cli.command.admin.EffectsCommand;
import dev.millrace.cli.command.admin.KeysCommand;
import dev.millrace.cli.command.admin.ListenCommand;
import dev.millrace.cli.command.admin.OriginsCommand;
import dev.millrace.cli.command.admin.SignInCommand;
import dev.millrace.cli.command.admin.TokensCommand;
import dev.millrace.cli.command.admin.WalletCommand;
import dev.millrace.cli.command.admin.WebhooksCommand;
import dev.millrace.cli.command.admin.WorkersCommand;
import dev.millrace.cli.command.admin.WorkflowsCommand;
import dev.millrace.cli.command.job.BatchesCommand;
import dev.millrace.cli.command.job.JobsCommand;
import dev.millrace.cli.command.job.RunCommand;
import dev.millrace.cli.command.job.TasksCommand;
import dev.millrace.cli.command.local.CompletionCommand;
import dev.millrace.cli.command.local.ConfigCommand;
import dev.millrace.cli.command.local.FilesCommand;
import dev.millrace.cli.command.local.StartCommand;
import dev.millrace.cli.command.local.VersionCommand;
import dev.millrace.cli.command.local.WhoAmICommand;
import dev.millrace.cli.command.local.WorkerCommand;
import dev.millrace.cli.command.shared.Version;
import dev.millrace.cli.command.tenant.TenantsCommand;
import dev.millrace.cli.command.tenant.UsersCommand;
import dev.millrace.cli.profile.ProfilesCommand;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.Complaint;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Options;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.shell.Surroundings;
import dev.millrace.cli.text.TextStyle;
import dev.millrace.service.names.NearestName;
import java.io.PrintWriter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** The root command: the options that every command understands, and the list of commands. */
@Command(
    name = "millrace",
    description = "Runs AI generation jobs on a Millrace server.",
    synopsisSubcommandLabel = "COMMAND",
    usageHelpAutoWidth = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    versionProvider = Version.class,
    subcommands = {
      StartCommand.class,
      WorkerCommand.class,
      RunCommand.class,
      JobsCommand.class,
      BatchesCommand.class,
      EffectsCommand.class,
      WorkflowsCommand.class,
      FilesCommand.class,
      WalletCommand.class,
      KeysCommand.class,
      TokensCommand.class,
      OriginsCommand.class,
      WorkersCommand.class,
      TenantsCommand.class,
      UsersCommand.class,
      TasksCommand.class,
      WebhooksCommand.class,
      ListenCommand.class,
      AuditCommand.class,
      DoctorCommand.class,
      WhoAmICommand.class,
      ProfilesCommand.class,
      SignInCommand.class,
      ConfigCommand.class,
      CompletionCommand.class,
      VersionCommand.class,
    })
public final class Millrace {

  // A fixed order after each command's own options.
  private static final int LAST = 1_000;

  @Option(
      names = "--url",
      order = LAST,
      scope = ScopeType.INHERIT,
      paramLabel = "URL",
      description = "The server. Otherwise MILLRACE_URL, then the profile.")
  private @Nullable String url;

  @Option(
      names = "--key",
      order = LAST + 1,
      scope = ScopeType.INHERIT,
      paramLabel = "KEY",
      description = "The API key. Otherwise MILLRACE_API_KEY, then the profile.")
  private @Nullable String key;

  @Option(
      names = "--profile",
      order = LAST + 2,
      scope = ScopeType.INHERIT,
      paramLabel = "NAME",
      description = "Use this profile instead of the default one.")
  private @Nullable String profile;

  @Option(
      names = "--format",
      order = LAST + 3,
      scope = ScopeType.INHERIT,
      paramLabel = "FORMAT",
      description = "Print data as table (default), json or jsonl.")
  private Format format = Format.TABLE;

  @Option(
      names = "--json",
      order = LAST + 4,
      scope = ScopeType.INHERIT,
      description = "The same as --format json.")
  private boolean json;

  @Option(
      names = {"-q", "--quiet"},
      order = LAST + 5,
      scope = ScopeType.INHERIT,
      description = "No progress and no messages; errors still are printed.")
  private boolean quiet;

  @Option(
      names = "--no-color",
      order = LAST + 6,
      scope = ScopeType.INHERIT,
      description = "No colours; so does NO_COLOR.")
  private boolean noColor;

  @Option(
      names = {"-h", "--help"},
      order = LAST + 7,
      scope = ScopeType.INHERIT,
      usageHelp = true,
      description = "Show how a command is used.")
  @SuppressWarnings("UnusedVariable") // The annotation does the work.
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      order = LAST + 8,
      versionHelp = true,
      description = "Show the version.")
  @SuppressWarnings("UnusedVariable") // The annotation does the work.
  private boolean version;

  private final Surroundings surroundings;

  private Millrace(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** The entry point of the process. */
  public static void main(String[] args) {
    System.exit(run(Surroundings.ofProcess(), args));
  }

  /** Runs one command and returns its exit code. */
  public static int run(Surroundings surroundings, String... args) {
    return commandLine(surroundings).execute(args);
  }

  /** All commands, ready to be run or only to be read. */
  public static CommandLine commandLine(Surroundings surroundings) {
    return new Millrace(surroundings).commandLine();
  }

  private CommandLine commandLine() {
    CommandLine root = new CommandLine(this);
    root.getCommandSpec().usageMessage().exitCodeList(ExitCode.meanings());
    root.setExpandAtFiles(false)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(surroundings.out(), true, surroundings.out().charset()))
        .setErr(new PrintWriter(surroundings.err(), true, surroundings.err().charset()))
        .setColorScheme(CommandLine.Help.defaultColorScheme(helpColours()))
        .setParameterExceptionHandler(shortUsage())
        .setExecutionExceptionHandler((trouble, _, _) -> complain(trouble))
        .setExecutionStrategy(this::perform);
    return root;
  }

  private int perform(ParseResult parsed) {
    Integer helped = CommandLine.executeHelpRequest(parsed);
    if (helped != null) {
      return helped;
    }
    ParseResult leaf = parsed;
    while (leaf.hasSubcommand()) {
      leaf = leaf.subcommand();
    }
    CommandLine command = leaf.commandSpec().commandLine();
    if (!(command.getCommand() instanceof CommandAction action)) {
      command.usage(command.getErr());
      return ExitCode.USAGE.code();
    }
    try (Session session = new Session(surroundings, options())) {
      return action.run(session).code();
    } catch (ParameterException e) {
      throw e;
    } catch (Exception e) {
      throw new CommandLine.ExecutionException(command, "failed", e);
    }
  }

  private int complain(Exception trouble) {
    Complaint complaint = Complaint.of(trouble);
    complaint.print(surroundings.err(), new Session(surroundings, options()).errStyle());
    return complaint.exit().code();
  }

  /** A typing mistake deserves a sentence, not a page of help. */
  private IParameterExceptionHandler shortUsage() {
    return (mistake, _) -> {
      CommandLine command = mistake.getCommandLine();
      PrintWriter err = command.getErr();
      TextStyle style = new Session(surroundings, options()).errStyle();
      err.println(style.red("millrace: ") + mistake.getMessage());
      Optional<String> meant = meant(mistake);
      if (meant.isPresent()) {
        err.println(style.dim("Try: ") + meant.get());
      } else if (!UnmatchedArgumentException.printSuggestions(mistake, err)) {
        err.println(style.dim("Try: ") + command.getCommandSpec().qualifiedName() + " --help");
      }
      return ExitCode.USAGE.code();
    };
  }

  /** The command that comes nearest to a word that is none. */
  private static Optional<String> meant(ParameterException mistake) {
    CommandLine command = mistake.getCommandLine();
    if (!(mistake instanceof UnmatchedArgumentException unmatched)
        || unmatched.getUnmatched().isEmpty()) {
      return Optional.empty();
    }
    return NearestName.of(unmatched.getUnmatched().getFirst(), command.getSubcommands().keySet())
        .map(name -> command.getCommandSpec().qualifiedName() + " " + name);
  }

  private Options options() {
    return new Options(url, key, profile, json ? Format.JSON : format, quiet, noColor);
  }

  private Ansi helpColours() {
    boolean plain = !surroundings.variable("NO_COLOR").isEmpty();
    return surroundings.outIsTerminal() && !plain ? Ansi.ON : Ansi.OFF;
  }
}
