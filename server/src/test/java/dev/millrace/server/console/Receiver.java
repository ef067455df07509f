package dev.millrace.server.console;

import com.sun.net.httpserver.HttpServer;
import dev.millrace.server.rig.ServerRig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Somebody who is told by webhooks, and takes all but what failed. */
final class Receiver implements AutoCloseable {

  private final HttpServer http;

  private Receiver(HttpServer http) {
    this.http = http;
  }

  static Receiver open() throws IOException {
    HttpServer http =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext(
        "/",
        exchange -> {
          String told =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(told.contains("job.failed") ? 503 : 204, -1);
          exchange.close();
        });
    http.start();
    return new Receiver(http);
  }

  int port() {
    return http.getAddress().getPort();
  }

  /** Adds itself as an endpoint, and gives its id. */
  String register(ServerRig rig) {
    return rig.admin()
        .post(
            "/api/admin/webhooks",
            "{\"url\":\"http://127.0.0.1:%d/\",\"description\":\"Orders\"}".formatted(port()))
        .good()
        .path("id")
        .asString();
  }

  /** Gives it the address that a product would have; nothing more arrives after that. */
  void rename(ServerRig rig, String url) {
    rig.database().execute("update webhook set url = '%s'".formatted(url));
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
