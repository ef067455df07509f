package dev.millrace.web.dialect.openai;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.tenants.Visibility;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.live.Hub;
import dev.millrace.service.live.Waiter;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.job.JobStream;
import dev.millrace.web.api.job.SubmitAnswers;
import dev.millrace.web.api.request.DatabaseProblems;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import dev.millrace.web.http.SseSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Talking with an effect that writes. */
final class ChatRoutes {

  private static final Set<String> DONE =
      Set.of("model", "messages", "n", "user", "metadata", "stream", "stream_options");
  private static final Set<String> IGNORED =
      Set.of(
          "temperature",
          "top_p",
          "stop",
          "presence_penalty",
          "frequency_penalty",
          "logit_bias",
          "seed",
          "max_tokens",
          "max_completion_tokens",
          "store",
          "service_tier",
          "parallel_tool_calls",
          "reasoning_effort",
          "verbosity",
          "safety_identifier",
          "prompt_cache_key");

  /** A text is told in pieces of about this length. */
  private static final int PIECE = 24;

  private final Authentication authentication;
  private final Calls calls;
  private final Hub hub;

  ChatRoutes(Authentication authentication, Calls calls, Hub hub) {
    this.authentication = authentication;
    this.calls = calls;
    this.hub = hub;
  }

  List<Route> routes() {
    return List.of(
        Route.post(
            "/openai/v1/chat/completions",
            authentication.require(Scope.JOBS_WRITE, this::complete)));
  }

  private Response complete(Request request, Principal principal) throws InterruptedException {
    ObjectNode body = request.jsonObject();
    Effect effect = calls.model(body.path("model"), principal);
    UUID id = calls.ask(fields(body, effect).fields(), request, principal);
    if (!body.path("stream").asBoolean(false)) {
      JobView job = calls.await(id, principal);
      return Response.json(200, json(job, calls.outputs(job), calls));
    }
    boolean usage = body.at("/stream_options/include_usage").asBoolean(false);
    return DatabaseProblems.stream(sink -> follow(id, principal.tenant(), usage, sink));
  }

  static EffectInput fields(ObjectNode body, Effect effect) {
    EffectInput input = new EffectInput(effect);
    Transcript transcript = Transcript.of(body.path("messages"));
    if (input.takes("messages")) {
      input.put("messages", body.path("messages"));
    } else if (input.takes("system") && !transcript.system().isEmpty()) {
      input.put("system", text(transcript.system()));
      input.put("prompt", text(transcript.prompt()));
    } else {
      input.put("prompt", text(transcript.whole()));
    }
    JsonNode most =
        body.hasNonNull("max_completion_tokens")
            ? body.path("max_completion_tokens")
            : body.path("max_tokens");
    if (input.takes("max_tokens") && most.isNumber()) {
      input.put("max_tokens", most);
    }
    input.count(body);
    input.owner(body);
    input.related("chat");
    input.rest(body, DONE, IGNORED);
    return input;
  }

  private static JsonNode text(String text) {
    return JsonMapper.shared().getNodeFactory().stringNode(text);
  }

  static ObjectNode json(JobView job, List<FileView> outputs, Calls calls) {
    ObjectNode json = head(job, "chat.completion");
    ArrayNode choices = json.putArray("choices");
    List<String> texts = texts(outputs, calls);
    for (int i = 0; i < texts.size(); i++) {
      ObjectNode choice = choices.addObject().put("index", i);
      choice
          .putObject("message")
          .put("role", "assistant")
          .put("content", texts.get(i))
          .putNull("refusal");
      choice.putNull("logprobs").put("finish_reason", "stop");
    }
    json.set("usage", usage(job, texts));
    return json;
  }

  private static ObjectNode head(JobView job, String object) {
    return JsonMapper.shared()
        .createObjectNode()
        .put("id", Ids.CHAT + job.id())
        .put("object", object)
        .put("created", job.times().createdAt().getEpochSecond())
        .put("model", job.request().effect());
  }

  /** What is no text is told by its address. */
  private static List<String> texts(List<FileView> outputs, Calls calls) {
    List<String> texts = new ArrayList<>();
    for (FileView file : outputs) {
      texts.add(calls.texts().of(file).orElse(file.name()));
    }
    return texts;
  }

  /** About four characters make a token; whoever needs the price has the job's receipt. */
  private static ObjectNode usage(JobView job, List<String> texts) {
    String input = job.request().input();
    int asked = input == null ? 0 : Math.ceilDiv(input.length(), 4);
    int written = texts.stream().mapToInt(text -> Math.ceilDiv(text.length(), 4)).sum();
    return JsonMapper.shared()
        .createObjectNode()
        .put("prompt_tokens", asked)
        .put("completion_tokens", written)
        .put("total_tokens", asked + written);
  }

  private void follow(UUID id, int tenant, boolean usage, SseSink sink)
      throws InterruptedException {
    try (Waiter news = hub.forJob(id)) {
      sink.onClose(news::wake);
      while (!sink.closing()) {
        Optional<JobView> job = calls.shown().jobs().find(Visibility.of(tenant), id);
        if (job.isEmpty()) {
          fail(SubmitAnswers.deleted(), sink);
          return;
        }
        if (job.get().state() == State.COMPLETED) {
          tell(job.get(), usage, sink);
          return;
        }
        if (job.get().state().terminal() || job.get().state() == State.WAITING_REVIEW) {
          fail(Calls.refusal(job.get()), sink);
          return;
        }
        if (!news.await(JobStream.HEARTBEAT)) {
          sink.comment("still here");
        }
      }
    }
  }

  private static void fail(ProblemException refusal, SseSink sink) {
    sink.event(
        null,
        null,
        JsonMapper.shared()
            .createObjectNode()
            .set("error", OpenAiErrors.error(refusal.problem()))
            .toString());
  }

  private void tell(JobView job, boolean usage, SseSink sink) {
    List<String> texts = texts(calls.outputs(job), calls);
    for (int i = 0; i < texts.size(); i++) {
      chunk(job, i, delta -> delta.put("role", "assistant").put("content", ""), null, sink);
      for (String piece : pieces(texts.get(i))) {
        chunk(job, i, delta -> delta.put("content", piece), null, sink);
      }
      chunk(job, i, _ -> {}, "stop", sink);
    }
    if (usage) {
      ObjectNode last = head(job, "chat.completion.chunk");
      last.putArray("choices");
      last.set("usage", usage(job, texts));
      sink.event(null, null, last.toString());
    }
    sink.event(null, null, "[DONE]");
  }

  private static void chunk(
      JobView job, int index, Consumer<ObjectNode> delta, @Nullable String reason, SseSink sink) {
    ObjectNode chunk = head(job, "chat.completion.chunk");
    ObjectNode choice = chunk.putArray("choices").addObject().put("index", index);
    delta.accept(choice.putObject("delta"));
    choice.putNull("logprobs").put("finish_reason", reason);
    sink.event(null, null, chunk.toString());
  }

  /** Cuts between characters, never within one. */
  private static List<String> pieces(String text) {
    List<String> pieces = new ArrayList<>();
    for (int from = 0; from < text.length(); ) {
      int to = Math.min(text.length(), from + PIECE);
      if (to < text.length() && Character.isHighSurrogate(text.charAt(to - 1))) {
        to++;
      }
      pieces.add(text.substring(from, to));
      from = to;
    }
    return pieces;
  }
}
