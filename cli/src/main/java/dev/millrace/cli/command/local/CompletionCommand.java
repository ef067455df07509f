package dev.millrace.cli.command.local;

import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Session;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "completion",
    description = "Print a completion script for bash and zsh.",
    footer = {"%nTo use it:", "  source <(millrace completion)"})
public final class CompletionCommand implements CommandAction {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public ExitCode run(Session session) {
    session.print(AutoComplete.bash("millrace", spec.root().commandLine()));
    return ExitCode.OK;
  }
}
