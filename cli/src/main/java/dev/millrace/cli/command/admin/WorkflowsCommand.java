package dev.millrace.cli.command.admin;

import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Session;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "workflows",
    synopsisSubcommandLabel = "COMMAND",
    description = "Pause and resume whole workflows (operators).",
    subcommands = {WorkflowsCommand.Pause.class, WorkflowsCommand.Resume.class})
public final class WorkflowsCommand {

  @Command(name = "pause", description = "Start no more jobs of a workflow; they wait.")
  static final class Pause implements CommandAction {

    @Parameters(
        paramLabel = "WORKFLOW",
        description = "Its name, which millrace effects show EFFECT tells.")
    private String slug = "";

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      return PauseSwitch.WORKFLOW.turn(session, slug, "pause");
    }
  }

  @Command(name = "resume", description = "Start jobs of a paused workflow again.")
  static final class Resume implements CommandAction {

    @Parameters(paramLabel = "WORKFLOW", description = "Its name.")
    private String slug = "";

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      return PauseSwitch.WORKFLOW.turn(session, slug, "resume");
    }
  }
}
