package dev.millrace.cli.command.job;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.command.shared.Limit;
import dev.millrace.cli.command.shared.Missing;
import dev.millrace.cli.command.shared.Pages;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Table;
import dev.millrace.cli.text.Table.Column;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "tasks",
    description = "Retry, cancel, delete or recheck many jobs at once (admins).",
    subcommands = {
      TaskRunCommand.class,
      TasksCommand.List.class,
      TasksCommand.Show.class,
      TasksCommand.Watch.class,
      TasksCommand.Stop.class
    })
public final class TasksCommand implements CommandAction {

  static final String PATH = "/api/admin/tasks";
  private static final String LIST = "millrace tasks";

  @Mixin private Limit limit = new Limit();

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    return list(session, limit);
  }

  private static ExitCode list(Session session, Limit limit)
      throws IOException, InterruptedException {
    JsonNode page = new Pages(PATH).collect(session.api(), limit.number());
    Table table =
        new Table(
            Column.id("ID"),
            Column.id("ACTION"),
            Column.id("STATE"),
            Column.number("SEEN"),
            Column.number("DONE"),
            Column.number("SKIPPED"),
            Column.number("FAILED"),
            Column.number("CREDITS"),
            Column.id("BY"),
            Column.id("CREATED"));
    for (JsonNode task : page.path("items")) {
      table.row(
          ApiJson.text(task, "id"),
          ApiJson.text(task, "action"),
          ApiJson.text(task, "state"),
          ApiJson.text(task, "seen"),
          ApiJson.text(task, "done"),
          ApiJson.text(task, "skipped"),
          ApiJson.text(task, "failed"),
          ApiJson.text(task, "credits"),
          ApiJson.text(task, "actor"),
          session.ago(task, "created_at"));
    }
    session.printList(page, table, "No tasks. To start one: millrace tasks run ACTION");
    return ExitCode.OK;
  }

  private static JsonNode find(Session session, String id)
      throws IOException, InterruptedException {
    return Missing.told("task", id, LIST, () -> session.api().get(TaskWatch.path(id)));
  }

  @Command(name = "list", description = "List tasks, newest first.")
  static final class List implements CommandAction {

    @Mixin private Limit limit = new Limit();

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      return list(session, limit);
    }
  }

  @Command(name = "show", description = "Show how a task stands.")
  static final class Show implements CommandAction {

    @Parameters(paramLabel = "ID", description = "The task's id.")
    private String id = "";

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      TaskText.print(session, find(session, id));
      return ExitCode.OK;
    }
  }

  @Command(name = "watch", description = "Show how a task goes until it is done.")
  static final class Watch implements CommandAction {

    @Parameters(paramLabel = "ID", description = "The task's id.")
    private String id = "";

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      find(session, id);
      return new TaskWatch(session, 0).seeThrough(id);
    }
  }

  @Command(name = "stop", description = "Stop a task; what it has done stays done.")
  static final class Stop implements CommandAction {

    @Parameters(paramLabel = "ID", description = "The task's id.")
    private String id = "";

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      JsonNode task =
          Missing.told(
              "task",
              id,
              LIST,
              () -> session.api().post(TaskWatch.path(id) + "/stop", ApiJson.object()));
      TaskText.print(session, task);
      return ExitCode.OK;
    }
  }
}
