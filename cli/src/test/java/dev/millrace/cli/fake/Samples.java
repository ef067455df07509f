package dev.millrace.cli.fake;

import dev.millrace.cli.fake.FakeServer.Answer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Answers of the API, as small as they can be. */
public final class Samples {

  public static final String JOB = "0197f0c1-a2b3-7c4d-8e9f-a0b1c2d3e4f5";
  public static final byte[] PICTURE = "not really a picture".getBytes(StandardCharsets.UTF_8);

  private Samples() {}

  /** A job without outputs. */
  public static String job(String state, long lastEventId, String outputs) {
    return """
    {"id":"%s","effect":"sketch/poster","user":"default","state":"%s","progress":0,
     "credits":{"held":5,"captured":0,"refunded":0},"error":%s,"attempt":1,
     "outputs":[%s],"created_at":"2026-03-01T11:59:00Z","last_event_id":%d}
    """
        .formatted(
            JOB,
            state,
            state.equals("failed")
                ? "{\"code\":\"provider\",\"message\":\"The pen broke.\"}"
                : "null",
            outputs,
            lastEventId);
  }

  public static String file(FakeServer server, String id, String name) {
    return file(server, id, name, sha256(PICTURE));
  }

  public static String file(FakeServer server, String id, String name, String sha256) {
    return """
    {"id":"%s","name":"%s","media_type":"image/png","size":%d,"sha256":"%s","kind":"output",
     "job_id":"%s","width":64,"height":32,"url":"%s/signed/%s?signature=s"}
    """
        .formatted(id, name, PICTURE.length, sha256, JOB, server.url(), id);
  }

  public static String event(long id, String state, int progress, String message) {
    return """
    id: %d
    event: job-event
    data: {"id":%d,"type":"transition","state":"%s","progress":%d,"step":null,"message":"%s"}

    """
        .formatted(id, id, state, progress, message);
  }

  /** Scripts effect, submission, job, receipt and pictures; the stream is left to the test. */
  public static FakeServer scripted(FakeServer server, String finalState, String... files) {
    String outputs = String.join(",", files);
    server
        .on("GET /api/effects/sketch/poster", FakeServer.json(200, EFFECT))
        .on("POST /api/jobs", FakeServer.json(201, job("queued", 1, "")))
        .on("GET /api/jobs/" + JOB, FakeServer.json(200, job(finalState, 3, outputs)))
        .on("GET /api/jobs/" + JOB + "/receipt", FakeServer.json(200, RECEIPT));
    return server;
  }

  public static Answer picture() {
    return FakeServer.bytes(PICTURE);
  }

  public static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  static final String EFFECT =
      """
      {"slug":"sketch/poster","title":"Poster","description":"Draws a poster.","credits_cost":5,
       "workflow":"sketch","last_processing_seconds":2.5,
       "input_schema":{"type":"object","required":["prompt"],"additionalProperties":false,
         "properties":{"prompt":{"type":"string"},"count":{"type":"integer","default":1}}}}
      """;

  static final String RECEIPT =
      """
      {"held":5,"captured":4,"refunded":1,"seconds":2.46,
       "lines":[{"type":"job_reserve","balance_after":95},{"type":"job_consume","balance_after":95},
                {"type":"job_refund","balance_after":96}],
       "attempts":[{"number":1}]}
      """;
}
