package dev.millrace.server.rig;

import dev.millrace.testkit.net.KeptPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A server for stories of the console: at an address that stays, with an effect for a file. */
public final class ConsoleRig {

  private ConsoleRig() {}

  /** Starts a server with the workflow upscale, which workers run. */
  public static ServerRig start(Path folder, String... settings) {
    Path catalogue = folder.resolve("catalogue");
    try {
      Files.createDirectories(catalogue);
      Files.writeString(
          catalogue.resolve("upscale.yaml"),
          """
          workflow: upscale
          version: 3
          title: Upscale on a GPU
          executor: worker
          properties:
            picture: {type: file, title: Picture, media_types: [image/png]}
            factor: {type: integer, minimum: 2, maximum: 4, default: 2, title: Factor}
          required: [picture]
          effects:
            - {effect: upscale/double, title: Double, description: Twice the size., credits_cost: 8}
          """);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ServerRig.start(
        folder,
        Stream.concat(
                Stream.of(
                    "HTTP_PORT=" + KeptPort.next(),
                    "HTTP_SHUTDOWN_GRACE_SECONDS=1",
                    "CATALOGUE_DIR=" + catalogue,
                    "FLEET_SECRET=" + FleetRig.SECRET),
                Stream.of(settings))
            .toArray(String[]::new));
  }
}
