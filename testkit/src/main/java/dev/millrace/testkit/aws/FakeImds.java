package dev.millrace.testkit.aws;

import dev.millrace.testkit.net.Reply;
import dev.millrace.testkit.net.Request;
import dev.millrace.testkit.net.SmallServer;
import java.net.URI;
import java.util.Optional;

/** The instance metadata service, version 2 only. */
public final class FakeImds implements AutoCloseable {

  public static final String ROLE = "worker-role";

  /** What a role's machine may sign with. Nobody checks it here. */
  public static final String CREDENTIALS =
      "{\"Code\": \"Success\", \"AccessKeyId\": \"ASIAEXAMPLE\","
          + " \"SecretAccessKey\": \"not-a-secret\", \"Token\": \"session\"}";

  public static final String INSTANCE = "i-1234567890abcdef0";

  private static final long LONGEST_TTL = 21_600;

  private final SmallServer server = SmallServer.start(this::answer);
  private Optional<Reply> interruption = Optional.empty();
  private Optional<Reply> rebalance = Optional.empty();
  private int generation;

  public URI url() {
    return server.url();
  }

  public synchronized void interrupt() {
    String notice = "{\n\t\"action\": \"terminate\",\n\t\"time\": \"2026-11-15T19:09:19Z\"\n}";
    interruption = Optional.of(json(notice));
  }

  public synchronized void recommendRebalance() {
    rebalance = Optional.of(json("{\n\t\"noticeTime\": \"2026-11-15T19:07:19Z\"\n}"));
  }

  /** Tokens that were given until now aren't good any more. */
  public synchronized void endTokens() {
    generation++;
  }

  public void die() {
    server.stop();
  }

  public void comeBack() {
    server.startAgain();
  }

  @Override
  public void close() {
    server.close();
  }

  private synchronized Reply answer(Request request) {
    if (request.path().equals("/latest/api/token")) {
      return request.method().equals("PUT") ? token(request) : page(405, "Method Not Allowed");
    }
    if (!request.header("X-aws-ec2-metadata-token").equals(Optional.of("token-" + generation))) {
      return page(401, "Unauthorized");
    }
    return switch (request.path().replaceFirst("^/latest/", "")) {
      case "meta-data/instance-id" -> Reply.bytes(200, "text/plain", ascii(INSTANCE));
      case "meta-data/iam/security-credentials/" -> Reply.bytes(200, "text/plain", ascii(ROLE));
      case "meta-data/iam/security-credentials/" + ROLE -> json(CREDENTIALS);
      case "meta-data/placement/region" -> Reply.bytes(200, "text/plain", ascii("us-east-1"));
      case "meta-data/spot/instance-action" -> interruption.orElseGet(FakeImds::notFound);
      case "meta-data/events/recommendations/rebalance" -> rebalance.orElseGet(FakeImds::notFound);
      default -> notFound();
    };
  }

  private Reply token(Request request) {
    String ttl = request.header("X-aws-ec2-metadata-token-ttl-seconds").orElse("");
    boolean fine = ttl.matches("[0-9]{1,6}") && Long.parseLong(ttl) <= LONGEST_TTL;
    return fine && Long.parseLong(ttl) > 0
        ? Reply.bytes(200, "text/plain", ascii("token-" + generation))
            .with("X-Aws-Ec2-Metadata-Token-Ttl-Seconds", ttl)
        : page(400, "Bad Request");
  }

  private static Reply notFound() {
    return page(404, "Not Found");
  }

  private static Reply page(int status, String title) {
    return Reply.text(status, "<html><h1>" + status + " - " + title + "</h1></html>\n");
  }

  private static Reply json(String text) {
    return Reply.bytes(200, "application/json", ascii(text));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
  }
}
