package dev.millrace.server.dialect;

import dev.millrace.server.rig.NodeClients;
import dev.millrace.server.rig.ServerRig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The npm client of Replicate, unmodified, on a person's whole way. */
class ReplicateClientPgTest {

  private static final String PUBLIC = "https://millrace.test";

  @TempDir Path folder;

  @Test
  void the_client_of_replicate_runs_unmodified() throws IOException {
    int port = freePort();
    try (ServerRig rig =
        ServerRig.start(
            folder,
            "CATALOGUE_DIR=" + ReplicateRig.catalogue(folder),
            "HTTP_PUBLIC_URL=" + PUBLIC,
            "FETCH_ALLOW=127.0.0.1:" + port)) {
      rig.credit("default", 1_000);
      NodeClients.run(
          "replicate.mjs",
          Map.of(
              "MILLRACE", rig.url("").replaceFirst("/$", ""),
              "PUBLIC", PUBLIC,
              "KEY", rig.key(),
              "HOOK_PORT", Integer.toString(port)));
      rig.examine();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
