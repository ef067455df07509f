package dev.millrace.server.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.ServerRig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A request for a host that is none of ours learns nothing and changes nothing. */
class HostsPgTest {

  @TempDir Path folder;

  private static String ask(ServerRig rig, String target, String... headers) {
    return send(rig, "GET", target, "1.1", headers);
  }

  private static String send(
      ServerRig rig, String method, String target, String version, String... headers) {
    StringBuilder head = new StringBuilder(method + " " + target + " HTTP/" + version + "\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    head.append("Authorization: Bearer ").append(rig.key()).append("\r\n");
    head.append("Connection: close\r\n\r\n");
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), rig.server().port())) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(target, e);
    }
  }

  private static void requireKnown(String answer) {
    assertThat(answer).startsWith("HTTP/1.1 200").contains("operator");
  }

  private static void requireUnknown(String answer) {
    assertThat(answer)
        .startsWith("HTTP/1.1 421")
        .contains("unknown_host", "MILLRACE_HTTP_ALLOWED_HOSTS")
        .doesNotContain("operator", "evil.example");
  }

  @Test
  void without_a_setting_only_what_no_stranger_can_own_leads_here() {
    try (ServerRig rig = ServerRig.start(folder, "EXECUTOR_SLOTS=0")) {
      String whoami = "/api/whoami";
      for (String host :
          List.of(
              "127.0.0.1",
              "10.1.2.3:8080",
              "[::1]",
              "[2001:DB8::1]:443",
              "LocalHost",
              "localhost.:80",
              machine())) {
        requireKnown(ask(rig, whoami, "Host: " + host));
      }
      for (String host :
          List.of("evil.example", "EVIL.example:80", "evil.example.", "localhost.evil.example")) {
        requireUnknown(ask(rig, whoami, "Host: " + host));
        requireUnknown(ask(rig, "/api/jobs", "Host: " + host));
        requireUnknown(ask(rig, "/openapi.json", "Host: " + host));
        requireUnknown(ask(rig, "/", "Host: " + host));
      }
      requireKnown(send(rig, "GET", whoami, "1.0"));
      requireUnknown(send(rig, "GET", whoami, "1.0", "Host: evil.example"));
      requireKnown(ask(rig, whoami, "Host: localhost", "X-Forwarded-Host: evil.example"));
      requireUnknown(ask(rig, whoami, "Host: evil.example", "X-Forwarded-Host: localhost"));
      requireUnknown(ask(rig, whoami, "Host: evil.example", "Forwarded: host=localhost"));
      for (String path : List.of("/healthz", "/readyz", "/metrics")) {
        assertThat(ask(rig, path, "Host: evil.example")).startsWith("HTTP/1.1 200");
      }
    }
  }

  @Test
  void a_target_that_names_a_host_of_its_own_is_no_way_around() {
    try (ServerRig rig = ServerRig.start(folder, "EXECUTOR_SLOTS=0")) {
      for (String host : List.of("localhost", "evil.example")) {
        assertThat(ask(rig, "http://evil.example/api/whoami", "Host: " + host))
            .doesNotStartWith("HTTP/1.1 2")
            .doesNotContain("operator");
      }
    }
  }

  @Test
  void the_console_says_it_on_a_page_that_looks_like_one() {
    try (ServerRig rig = ServerRig.start(folder, "EXECUTOR_SLOTS=0")) {
      String page = ask(rig, "/console/sign-in", "Host: evil.example");
      assertThat(page)
          .startsWith("HTTP/1.1 421")
          .contains("text/html", "MILLRACE_HTTP_ALLOWED_HOSTS")
          .doesNotContain("name=\"key\"");
      assertThat(
              send(
                  rig,
                  "POST",
                  "/console/sign-in",
                  "1.1",
                  "Host: evil.example",
                  "Content-Length: 0"))
          .startsWith("HTTP/1.1 421");
      String style = page.replaceAll("(?s).*(?:href|src)=\"(/console/assets/[^\"]+)\".*", "$1");
      assertThat(ask(rig, style, "Host: evil.example")).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void named_hosts_are_known_instead_and_that_of_the_public_url() {
    try (ServerRig rig =
        ServerRig.start(
            folder,
            "EXECUTOR_SLOTS=0",
            "HTTP_PUBLIC_URL=https://mill.example/rig",
            "HTTP_ALLOWED_HOSTS=server, *.inside.example")) {
      for (String host :
          List.of("mill.example", "server:8080", "a.inside.example", "127.0.0.1", "localhost")) {
        requireKnown(ask(rig, "/api/whoami", "Host: " + host));
      }
      for (String host : List.of("10.1.2.3", "inside.example", "evil.example")) {
        requireUnknown(ask(rig, "/api/whoami", "Host: " + host));
      }
    }
  }

  private static String machine() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (java.net.UnknownHostException e) {
      return "localhost";
    }
  }
}
