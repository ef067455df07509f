package dev.millrace.web.http.server;

import dev.millrace.web.http.ClientGoneException;
import dev.millrace.web.http.RequestHead;
import dev.millrace.web.http.RequestIds;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.ResponseBody;
import dev.millrace.web.http.SseFrame;
import dev.millrace.web.http.SseSource;
import dev.millrace.web.http.Watchdog;
import io.helidon.http.Header;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.webserver.http.ServerResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Puts an answer on the wire with the headers that every answer has. */
final class ResponseWriter {
  private static final int CHUNK_BYTES = 64 << 10;
  private static final byte[] NOTHING = {};
  private static final Header NO_STORE = HeaderValues.createCached("Cache-Control", "no-store");
  private static final Header NO_SNIFFING =
      HeaderValues.createCached("X-Content-Type-Options", "nosniff");
  private static final HeaderName REQUEST_ID = HeaderNames.create(RequestIds.HEADER);
  private static final byte[] OPENING =
      SseFrame.comment("open").getBytes(StandardCharsets.US_ASCII);

  private final Watchdog watchdog;

  ResponseWriter(Watchdog watchdog) {
    this.watchdog = watchdog;
  }

  /**
   * Writes the answer, or the beginning of it.
   *
   * @throws StreamBegins once the head of an event stream is written
   * @param close tells the client that the connection ends with this answer
   */
  void write(RequestHead head, Response response, boolean close, ServerResponse wire) {
    boolean headersOnly = head.method().equals("HEAD");
    switch (response.body()) {
      case ResponseBody.Empty() -> {
        headers(head, response, close, wire);
        send(wire, NOTHING);
      }
      case ResponseBody.Bytes bytes -> {
        headers(head, response, close, wire);
        bytes(wire, bytes.content(), headersOnly);
      }
      case ResponseBody.Stream(long length, _) when headersOnly -> {
        headers(head, response, close, wire);
        declare(wire, length);
        send(wire, NOTHING);
      }
      case ResponseBody.Stream stream -> open(head, response, stream, close, wire);
      case ResponseBody.Sse _ when headersOnly -> {
        headers(head, response, close, wire);
        send(wire, NOTHING);
      }
      case ResponseBody.Sse(SseSource source) -> {
        headers(head, response, close, wire);
        events(head, source, wire);
      }
    }
  }

  private static void headers(
      RequestHead head, Response response, boolean close, ServerResponse wire) {
    wire.status(response.status());
    ServerResponseHeaders headers = wire.headers();
    for (Response.Field field : response.fields()) {
      headers.add(HeaderValues.create(field.name(), field.value()));
    }
    headers.setIfAbsent(NO_STORE);
    headers.set(NO_SNIFFING);
    headers.set(HeaderValues.create(REQUEST_ID, head.id()));
    if (close) {
      headers.set(HeaderValues.CONNECTION_CLOSE);
    }
  }

  private static void declare(ServerResponse wire, long length) {
    if (length >= 0) {
      wire.headers().contentLength(length);
    }
  }

  private void bytes(ServerResponse wire, byte[] content, boolean headersOnly) {
    declare(wire, content.length);
    if (headersOnly) {
      send(wire, NOTHING);
    } else if (content.length <= CHUNK_BYTES) {
      send(wire, content);
    } else {
      // A large answer is written in pieces, so that the watchdog measures progress.
      copy(wire, new ByteArrayInputStream(content), content.length);
    }
  }

  private void send(ServerResponse wire, byte[] content) {
    try (var _ = watchdog.guard()) {
      wire.send(content);
    }
  }

  /** The content is opened before anything is sent, so that a failure can still be a 500. */
  private void open(
      RequestHead head,
      Response response,
      ResponseBody.Stream stream,
      boolean close,
      ServerResponse wire) {
    InputStream in;
    try {
      in = stream.source().open();
    } catch (IOException | RuntimeException e) {
      write(head, Dispatcher.incident("opening the content of an answer", e), close, wire);
      return;
    }
    try (in) {
      headers(head, response, close, wire);
      declare(wire, stream.length());
      copy(wire, in, stream.length());
    } catch (IOException e) {
      throw new IllegalStateException("The content could not be closed", e);
    }
  }

  /** After the first byte the only honest sign of a failure is a connection that breaks. */
  private void copy(ServerResponse wire, InputStream in, long length) {
    OutputStream out = wire.outputStream();
    byte[] buffer = new byte[CHUNK_BYTES];
    long sent = 0;
    try {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        sent += read;
        try (var _ = watchdog.guard()) {
          out.write(buffer, 0, read);
        }
      }
      if (length >= 0 && sent != length) {
        throw new IOException("The content has " + sent + " bytes and not " + length);
      }
      try (var _ = watchdog.guard()) {
        out.close();
      }
    } catch (IOException e) {
      Dispatcher.incident("sending the content of an answer", e);
      throw new ClientGoneException(e);
    }
  }

  /** The head leaves with the first bytes, and the client waits for it. */
  private void events(RequestHead head, SseSource source, ServerResponse wire) {
    try (var _ = watchdog.guard()) {
      OutputStream out = wire.outputStream();
      out.write(OPENING);
      out.flush();
    } catch (IOException | RuntimeException e) {
      throw new ClientGoneException(e);
    }
    throw new StreamBegins(source, head.id());
  }
}
