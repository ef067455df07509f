package dev.millrace.server.rig;

import dev.millrace.providers.wire.StandardWebhook;
import dev.millrace.testkit.net.Reply;
import dev.millrace.testkit.net.Request;
import dev.millrace.testkit.net.SmallServer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** Somebody's endpoints: each path answers as it was told, and everything that comes is kept. */
public final class HookSink implements AutoCloseable {

  private final List<Request> seen = new CopyOnWriteArrayList<>();
  private final Map<String, Reply> replies = new ConcurrentHashMap<>();
  private final SmallServer server = SmallServer.start(this::answer);

  private Reply answer(Request request) {
    seen.add(request);
    return replies.getOrDefault(request.path(), Reply.text(200, "thanks"));
  }

  public HookSink on(String path, Reply reply) {
    replies.put(path, reply);
    return this;
  }

  /** The setting that lets the server send here. */
  public String allowed() {
    return "FETCH_ALLOW=127.0.0.1:" + server.url().getPort();
  }

  public String url(String path) {
    return server.url() + path;
  }

  public List<Request> seen(String path) {
    return seen.stream().filter(request -> request.path().equals(path)).toList();
  }

  public List<String> ids(String path) {
    return seen(path).stream().map(request -> request.header("webhook-id").orElse("")).toList();
  }

  /** True if a receiver with this secret accepts the request. */
  public static boolean accepts(String secret, Request request) {
    return StandardWebhook.check(
            List.of(secret),
            request.headers().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, each -> List.of(each.getValue()))),
            request.body().bytes(),
            Instant.now())
        .isEmpty();
  }

  @Override
  public void close() {
    server.close();
  }
}
