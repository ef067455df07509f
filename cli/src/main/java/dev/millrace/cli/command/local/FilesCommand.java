package dev.millrace.cli.command.local;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.FileDownload;
import dev.millrace.cli.api.ServerApi;
import dev.millrace.cli.command.shared.ListOptions;
import dev.millrace.cli.command.shared.Missing;
import dev.millrace.cli.command.shared.OutputTargets;
import dev.millrace.cli.command.shared.Pages;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Say;
import dev.millrace.cli.text.Table;
import dev.millrace.cli.text.Table.Column;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "files",
    description = "List, upload, download and delete files.",
    subcommands = {
      FilesCommand.List.class,
      FileUploadCommand.class,
      FilesCommand.Get.class,
      FileDeleteCommand.class
    })
public final class FilesCommand implements CommandAction {

  @Mixin private ListOptions options = new ListOptions();

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    return list(session, options, null);
  }

  private static ExitCode list(Session session, ListOptions options, @Nullable String kind)
      throws IOException, InterruptedException {
    JsonNode page =
        new Pages("/api/files")
            .with("user", options.user)
            .with("kind", kind)
            .collect(session.api(), options.limit());
    Table table =
        new Table(
            Column.id("ID"),
            Column.text("NAME"),
            Column.text("KIND"),
            Column.text("TYPE"),
            Column.number("SIZE"),
            Column.id("JOB"),
            Column.id("CREATED"));
    for (JsonNode file : page.path("items")) {
      table.row(
          ApiJson.text(file, "id"),
          ApiJson.text(file, "name"),
          ApiJson.text(file, "kind"),
          ApiJson.text(file, "media_type"),
          Say.size(ApiJson.number(file, "size")),
          ApiJson.text(file, "job_id"),
          session.ago(file, "created_at"));
    }
    session.printList(page, table, "There are no files.");
    return ExitCode.OK;
  }

  @Command(name = "list", description = "List files, newest first.")
  static final class List implements CommandAction {

    @Mixin private ListOptions options = new ListOptions();

    @Option(
        names = "--kind",
        paramLabel = "KIND",
        description = "Only input (brought by a user) or output (made by a job).")
    private @Nullable String kind;

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      return list(session, options, kind);
    }
  }

  @Command(
      name = "get",
      aliases = "download",
      description = "Download one file and verify its checksum.")
  static final class Get implements CommandAction {

    @Parameters(paramLabel = "ID", description = "The file's id.")
    private String id = "";

    @Option(
        names = {"-o", "--output"},
        paramLabel = "FILE",
        description = "Where to; a folder keeps the server's name (default: here).")
    private Path output = Path.of(".");

    @Option(names = "--force", description = "Overwrite.")
    private boolean force;

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      OutputTargets targets = new OutputTargets(output, force);
      targets.check();
      JsonNode file =
          Missing.told(
              "file",
              id,
              "millrace files",
              () -> session.api().get("/api/files/" + ServerApi.segment(id)));
      Path target = targets.plan(java.util.List.of(file)).getFirst();
      new FileDownload(session.api()).fetch(file, target);
      if (session.format() == Format.TABLE) {
        session.print(target.toString());
      } else {
        ObjectNode result = ApiJson.object().put("path", target.toString());
        result.set("file", file);
        session.print(result);
      }
      return ExitCode.OK;
    }
  }
}
