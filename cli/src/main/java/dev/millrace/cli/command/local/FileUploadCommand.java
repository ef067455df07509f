package dev.millrace.cli.command.local;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.command.shared.UploadProgress;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Say;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "upload", description = "Upload files, for jobs to use.")
final class FileUploadCommand implements CommandAction {

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "The files.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description = "Their media type (default: told by the extension).")
  private @Nullable String type;

  @Option(names = "--user", paramLabel = "USER", description = "On whose behalf.")
  private @Nullable String user;

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    for (Path file : files) {
      if (!Files.isRegularFile(file)) {
        throw new CommandFailure(
            ExitCode.USAGE, "There is no file " + file + ". Nothing was uploaded.");
      }
    }
    for (Path file : files) {
      JsonNode brought = UploadProgress.bring(session, file, type, user);
      if (session.format() == Format.TABLE) {
        session.print(
            "%s  %s (%s)"
                .formatted(
                    ApiJson.text(brought, "id"),
                    ApiJson.text(brought, "name"),
                    Say.size(ApiJson.number(brought, "size"))));
      } else {
        session.print(brought);
      }
    }
    return ExitCode.OK;
  }
}
