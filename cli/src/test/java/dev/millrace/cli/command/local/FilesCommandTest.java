package dev.millrace.cli.command.local;

import static dev.millrace.cli.fake.FakeServer.hangUp;
import static dev.millrace.cli.fake.FakeServer.json;
import static dev.millrace.cli.fake.FakeServer.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.fake.Cli;
import dev.millrace.cli.fake.Cli.Result;
import dev.millrace.cli.fake.FakeServer;
import dev.millrace.cli.fake.FakeServer.Seen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilesCommandTest {

  private static final String FILE =
      """
      {"id":"f1","name":"photo.png","media_type":"image/png","size":5,"kind":"input"}
      """;

  /** Of "hello". */
  private static final String SHA256 =
      "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

  @TempDir Path folder;
  private FakeServer server = new FakeServer();
  private Cli cli = new Cli(Path.of("."));
  private Path photo = Path.of(".");

  @BeforeEach
  void a_server_that_takes_files() throws IOException {
    cli = new Cli(folder.resolve("profiles"), server);
    photo = Files.writeString(folder.resolve("photo.png"), "hello");
    server
        .on(
            "POST /api/files",
            json(
                201,
                """
                {"id":"f1","upload":{"method":"PUT","url":"%s/signed/put?a=b",
                  "headers":{"Content-Type":"image/png","Content-Length":"5","x-extra":"1"}}}
                """
                    .formatted(server.url())))
        .on("PUT /signed/put", json(200, ""))
        .on("POST /api/files/f1/confirm", json(200, FILE));
  }

  @AfterEach
  void the_server_stops() {
    server.close();
  }

  @Test
  void a_large_file_goes_in_parts_and_asks_for_fresh_urls() {
    String place =
        "{\"number\":%d,\"size\":%d,\"url\":\"%s/signed/%s\",\"headers\":{\"x-extra\":\"1\"}}";
    String first = place.formatted(1, 3, server.url(), "one");
    String ended = place.formatted(2, 2, server.url(), "ended");
    String fresh = place.formatted(2, 2, server.url(), "two");
    String upload =
        "{\"id\":\"f1\",\"upload\":{\"method\":\"PUT\",\"part_bytes\":3,\"parts\":[%s]}}";
    server
        .on("POST /api/files", json(201, upload.formatted(first + "," + ended)))
        .on("PUT /signed/one", hangUp(), json(200, "", "ETag", "\"t1\""))
        .on("PUT /signed/ended", problem(403, "url_expired", "It has expired."))
        .on("POST /api/files/f1/parts", json(200, upload.formatted(fresh)))
        .on("PUT /signed/two", json(200, "", "ETag", "\"t2\""));

    Result result = cli.run("files", "upload", photo.toString());

    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.err()).contains("0%  uploading", " 60%", "100%");
    assertThat(server.seen("PUT /signed/one").getLast().body()).isEqualTo("hel");
    Seen second = server.seen("PUT /signed/two").getFirst();
    assertThat(second.body()).isEqualTo("lo");
    assertThat(second.header("Content-length")).isEqualTo("2");
    assertThat(second.header("Authorization")).isEmpty();
    assertThat(server.seen("POST /api/files/f1/parts").getFirst().body())
        .isEqualTo("{\"numbers\":[2]}");
    assertThat(ApiJson.parse(server.seen("POST /api/files/f1/confirm").getFirst().body()))
        .isEqualTo(
            ApiJson.parse(
                "{\"size\":5,\"sha256\":\"%s\",\"parts\":[\"\\\"t1\\\"\",\"\\\"t2\\\"\"]}"
                    .formatted(SHA256)));
  }

  @Test
  void a_file_is_announced_put_and_confirmed() {
    Result result = cli.run("files", "upload", photo.toString(), "--user", "ada");

    assertThat(result.exit()).isZero();
    assertThat(result.out()).contains("f1  photo.png (5 B)");
    assertThat(ApiJson.parse(server.seen("POST /api/files").getFirst().body()))
        .isEqualTo(
            ApiJson.parse(
                """
                {"name":"photo.png","media_type":"image/png","size":5,"sha256":"%s","user":"ada"}
                """
                    .formatted(SHA256)));
    Seen put = server.seen("PUT /signed/put").getFirst();
    assertThat(put.body()).isEqualTo("hello");
    assertThat(put.header("Content-type")).isEqualTo("image/png");
    assertThat(put.header("X-extra")).isEqualTo("1");
    assertThat(put.header("Authorization")).isEmpty();
    assertThat(ApiJson.parse(server.seen("POST /api/files/f1/confirm").getFirst().body()))
        .isEqualTo(ApiJson.parse("{\"size\":5,\"sha256\":\"%s\"}".formatted(SHA256)));
  }

  @Test
  void a_lost_answer_to_the_bytes_is_no_failure() {
    server.on("PUT /signed/put", hangUp(), problem(412, "already_uploaded", "It is there."));
    assertThat(cli.run("files", "upload", photo.toString()).exit()).isZero();
    assertThat(server.seen("PUT /signed/put")).hasSize(2);
  }

  @Test
  void what_is_not_there_is_told_before_anything_is_sent() {
    Result result = cli.run("files", "upload", photo.toString(), folder + "/gone.png");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("gone.png");
    assertThat(server.seen()).isEmpty();
  }

  @Test
  void a_refused_confirmation_is_told() {
    server.on(
        "POST /api/files/f1/confirm", problem(422, "upload_mismatch", "It has another size."));
    Result result = cli.run("files", "upload", photo.toString());
    assertThat(result.exit()).isNotZero();
    assertThat(result.err()).contains("another size");
  }

  @Test
  void a_run_brings_its_file_first() {
    server
        .on(
            "GET /api/effects/portrait/plain",
            json(
                200,
                """
                {"slug":"portrait/plain","input_schema":{"additionalProperties":false,"properties":
                  {"image":{"type":"string","format":"uuid","x-file":{}}}}}
                """))
        .on("POST /api/jobs", json(201, "{\"id\":\"j1\",\"state\":\"queued\"}"));

    Result result = cli.run("run", "portrait/plain", "-i", "image=@" + photo);

    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.err()).contains("Uploading photo.png");
    assertThat(ApiJson.parse(server.seen("POST /api/jobs").getFirst().body()))
        .isEqualTo(ApiJson.parse("{\"effect\":\"portrait/plain\",\"input\":{\"image\":\"f1\"}}"));
  }

  @Test
  void deleting_needs_a_yes() {
    server.on("DELETE /api/files/f1", json(200, "{\"id\":\"f1\",\"bytes\":5,\"removed\":true}"));
    assertThat(cli.run("files", "delete", "f1").exit()).isEqualTo(2);
    assertThat(server.seen()).isEmpty();
    assertThat(cli.run("files", "delete", "f1", "--yes").out()).contains("f1  deleted (5 B)");
  }

  @Test
  void a_missing_file_is_named() {
    server.on("DELETE /api/files/f2", problem(404, "not_found", "There is nothing here."));
    assertThat(cli.run("files", "delete", "f2", "-y").err()).contains("There is no file f2");
  }

  @Test
  void a_list_can_be_of_one_kind() {
    server.on("GET /api/files", json(200, "{\"items\":[" + FILE + "],\"next_cursor\":null}"));
    Result result = cli.run("files", "list", "--kind", "input");
    assertThat(result.out()).contains("KIND", "input", "photo.png");
    assertThat(server.seen("GET /api/files").getFirst().query()).contains("kind=input");
  }
}
