package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.read.ListAppender;
import dev.millrace.server.logging.Logging;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Secrets and prompts stay where they belong. */
class CanaryApiPgTest {

  private static final String CANARY = "canary-prompt-7391";
  private static final String USER = "canary-user-2846";

  @TempDir Path folder;

  private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
  private final Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  private final List<ILoggingEvent> logged =
      java.util.Collections.synchronizedList(new ArrayList<>());
  private final ListAppender<ILoggingEvent> appender =
      new ListAppender<>() {
        @Override
        protected void append(ILoggingEvent event) {
          event.prepareForDeferredProcessing();
          logged.add(event);
        }
      };
  private Level before = Level.WARN;

  @BeforeEach
  void listen() {
    appender.start();
    before = root.getLevel();
    // As much as the program itself ever logs; libraries' debugging is not ours.
    context.getLogger("dev.millrace").setLevel(Level.TRACE);
    context.getLogger("millrace.jobs").setLevel(Level.TRACE);
    root.setLevel(Level.INFO);
    root.addAppender(appender);
    root.getAppender("console").stop();
  }

  @AfterEach
  void stopListening() {
    root.detachAppender(appender);
    root.getAppender("console").start();
    root.setLevel(before);
    context.getLogger("dev.millrace").setLevel(null);
    context.getLogger("millrace.jobs").setLevel(Level.ERROR);
  }

  @Test
  void no_key_is_stored_in_clear_and_neither_key_nor_prompt_nor_url_is_logged() throws Exception {
    String adminKey;
    String userKey;
    String signature;
    try (ServerRig rig = ServerRig.start(folder, "MAX_FAILURES=1")) {
      adminKey = String.valueOf(rig.admin().key());
      rig.credit(USER, 100);
      Client ada = rig.boundTo(USER);
      userKey = String.valueOf(ada.key());
      signature = liveThroughEverything(rig, ada);
      for (String key : List.of(adminKey, userKey)) {
        assertThat(columnsWith(rig, key)).isEmpty();
        assertThat(columnsWith(rig, key.substring(12))).isEmpty();
      }
      // The search can find something: the prompt is in its input and in the name of its picture.
      assertThat(columnsWith(rig, CANARY)).containsExactly("file.name", "job_input.input");
    }

    assertThat(log(Logging.Look.JSON))
        .contains("job.created", "job.completed", "job.failed", "job.transition_denied");
    assertThat(log(Logging.Look.TEXT)).contains("queued -> running", "Incident");
    for (Logging.Look look : Logging.Look.values()) {
      assertThat(log(look))
          .doesNotContain(adminKey.substring(8), userKey.substring(8), signature)
          .doesNotContain(CANARY, USER);
    }
  }

  /** Good jobs, bad jobs, refusals and a bug, so that every kind of log line is written. */
  private static String liveThroughEverything(ServerRig rig, Client ada) {
    String body = Client.draft().replace("a red fox", CANARY);
    String id = ada.post("/api/jobs", body).expect(201).at("/id");
    String url = ada.awaitJob(id, "completed").at("/outputs/0/url");
    ada.get(url).expect(200);
    for (String mishap : List.of("retryable", "permanent", "safety", "crash")) {
      String trouble = body.replace("\"prompt\"", "\"fail\":\"" + mishap + "\",\"prompt\"");
      ada.awaitJob(
          ada.post("/api/jobs", trouble).expect(201).at("/id"),
          "failed",
          "dead_letter",
          "rejected");
    }
    ada.post("/api/jobs/" + id + "/cancel", "").problem(409, "transition_denied");
    ada.post("/api/jobs", body.replace("}}", ",\"seed\":\"" + CANARY + "\"}}"))
        .problem(422, "invalid_request");
    ada.post("/api/jobs", body.substring(3)).problem(400, "malformed_json");
    ada.get("/api/jobs/" + CANARY).problem(404, "not_found");
    ada.with(ada.key() + "x").get("/api/whoami").problem(401, "unauthenticated");
    // A bug, as far as the server can tell: the database refuses what the code relies on.
    rig.database().execute("alter table job_input rename to job_input_away");
    ada.post("/api/jobs", body).problem(500, "internal");
    ada.get("/api/jobs/" + id).problem(500, "internal");
    rig.database().execute("alter table job_input_away rename to job_input");
    return url.replaceFirst(".*signature=", "");
  }

  private String log(Logging.Look look) {
    Encoder<ILoggingEvent> encoder = Logging.encoder(look, context);
    StringBuilder text = new StringBuilder();
    synchronized (logged) {
      logged.forEach(event ->
          text.append(new String(encoder.encode(event), java.nio.charset.StandardCharsets.UTF_8)));
    }
    encoder.stop();
    return text.toString();
  }

  /** Every column of every table, as text, that has this in any row. */
  private static List<String> columnsWith(ServerRig rig, String needle) {
    String columns =
        rig.ask(
            """
            select string_agg(table_name || '.' || column_name, ',' order by table_name, column_name)
            from information_schema.columns
            where table_schema = 'public'
            """);
    List<String> found = new ArrayList<>();
    for (String column : columns.split(",", -1)) {
      String[] tableAndColumn = column.split("\\.", -1);
      String count =
          rig.ask(
              """
              select count(*) from "%1$s"
              where position('%3$s' in "%2$s"::text) > 0
                 or position(encode('%3$s', 'hex') in "%2$s"::text) > 0
              """
                  .formatted(tableAndColumn[0], tableAndColumn[1], needle));
      if (!count.equals("0")) {
        found.add(column);
      }
    }
    return found;
  }
}
