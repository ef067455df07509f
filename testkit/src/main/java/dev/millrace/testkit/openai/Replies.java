package dev.millrace.testkit.openai;

import dev.millrace.testkit.openai.OpenAiDouble.Reply;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;

/** Answers of an OpenAI-compatible service, good and bad. */
public final class Replies {

  /** The smallest PNG there is: one pixel. */
  public static final String PNG =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
          + "rkJggg==";

  private static final String EVENTS = "text/event-stream; charset=utf-8";
  private static final String USAGE =
      "{\"prompt_tokens\":11,\"completion_tokens\":7,\"total_tokens\":18}";

  private Replies() {}

  /** A text in pieces, with usage at the end. */
  public static Reply streamed(String... pieces) {
    return finished("stop", pieces);
  }

  /** A text in pieces that ends for a reason of its own, such as {@code content_filter}. */
  public static Reply finished(String reason, String... pieces) {
    return call -> {
      try (OutputStream out = call.begin(200, EVENTS)) {
        comment(out);
        for (String piece : pieces) {
          event(out, delta(0, piece));
        }
        event(out, finish(0, reason));
        event(out, "{\"object\":\"chat.completion.chunk\",\"choices\":[],\"usage\":" + USAGE + "}");
        event(out, "[DONE]");
      }
    };
  }

  /** A text in pieces whose end waits until a gate is opened. */
  public static Reply gated(CountDownLatch gate, String... pieces) {
    return call -> {
      try (OutputStream out = call.begin(200, EVENTS)) {
        for (String piece : pieces) {
          event(out, delta(0, piece));
        }
        gate.await();
        event(out, finish(0, "stop"));
        event(out, "[DONE]");
      }
    };
  }

  /** Events as they are, each the data of one. */
  public static Reply events(String... data) {
    return call -> {
      try (OutputStream out = call.begin(200, EVENTS)) {
        for (String each : data) {
          event(out, each);
        }
      }
    };
  }

  /** Some pieces, and then the connection is cut without an end. */
  public static Reply truncated(String... pieces) {
    return call -> {
      OutputStream out = call.begin(200, EVENTS);
      for (String piece : pieces) {
        event(out, delta(0, piece));
      }
      // Closing the exchange instead of the stream leaves the chunked body without its last chunk.
    };
  }

  /** The same piece for ever, until the caller hangs up. */
  public static Reply endless(String piece) {
    return call -> {
      OutputStream out = call.begin(200, EVENTS);
      while (call.rest(5)) {
        event(out, delta(0, piece));
      }
    };
  }

  /** A text that came whole although a stream was asked for. */
  public static Reply whole(String text) {
    return json(
        "{\"object\":\"chat.completion\",\"choices\":[{\"index\":0,\"finish_reason\":\"stop\","
            + "\"message\":{\"role\":\"assistant\",\"content\":"
            + quoted(text)
            + "}}],\"usage\":"
            + USAGE
            + "}");
  }

  public static Reply json(String body) {
    return call -> call.answer(200, "application/json", bytes(body));
  }

  public static Reply body(int status, String mediaType, String body) {
    return call -> call.answer(status, mediaType, bytes(body));
  }

  /** An error as OpenAI writes it. */
  public static Reply error(int status, String code) {
    return call -> call.answer(status, "application/json", bytes(errorBody(code)));
  }

  /** An error that says when to come back. */
  public static Reply error(int status, String code, String retryAfter) {
    return call ->
        call.header("Retry-After", retryAfter)
            .answer(status, "application/json", bytes(errorBody(code)));
  }

  /** Nothing at all. */
  public static Reply silence() {
    return OpenAiDouble.Call::never;
  }

  /** Headers, a first piece, and then nothing. */
  public static Reply silenceAfter(String piece) {
    return call -> {
      event(call.begin(200, EVENTS), delta(0, piece));
      call.never();
    };
  }

  public static Reply pictures(int count) {
    return json(
        "{\"created\":1,\"data\":["
            + String.join(",", Collections.nCopies(count, "{\"b64_json\":\"" + PNG + "\"}"))
            + "],\"usage\":{\"input_tokens\":9,\"output_tokens\":272,\"total_tokens\":281}}");
  }

  /** Pictures behind URLs. */
  public static Reply picturesAt(String... urls) {
    StringBuilder data = new StringBuilder();
    for (String url : urls) {
      data.append(data.isEmpty() ? "" : ",").append("{\"url\":").append(quoted(url)).append('}');
    }
    return json("{\"created\":1,\"data\":[" + data + "]}");
  }

  /** The bytes of the picture itself. */
  public static Reply picture() {
    return call -> call.answer(200, "image/png", Base64.getDecoder().decode(PNG));
  }

  /** The beginning of an MP3 file, which is all that anybody looks at. */
  public static Reply sound() {
    return call -> call.answer(200, "audio/mpeg", bytes("ID3\u0004 a recording"));
  }

  public static Reply judged(boolean flagged) {
    return json(
        "{\"id\":\"modr-1\",\"results\":[{\"flagged\":%s,\"categories\":{\"violence\":%s},\"category_scores\":{\"violence\":0.5}}]}"
            .formatted(flagged, flagged));
  }

  /** A piece of a text, as the data of an event. */
  public static String delta(int index, String text) {
    return "{\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":%d,\"delta\":{\"content\":%s},\"finish_reason\":null}]}"
        .formatted(index, quoted(text));
  }

  /** The end of a text, as the data of an event. */
  public static String finish(int index, String reason) {
    return "{\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":%d,\"delta\":{},\"finish_reason\":%s}]}"
        .formatted(index, quoted(reason));
  }

  public static String errorBody(String code) {
    return "{\"error\":{\"message\":\"Something about sk-test and more\",\"type\":\"an_error\",\"param\":null,\"code\":%s}}"
        .formatted(quoted(code));
  }

  /** A text as JSON, with everything beyond ASCII left as it is. */
  public static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append("\\u%04x".formatted((int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  private static void comment(OutputStream out) throws IOException {
    out.write(bytes(": processing\n\n"));
  }

  private static void event(OutputStream out, String data) throws IOException {
    out.write(bytes("data: " + data + "\n\n"));
    out.flush();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
