package dev.millrace.server.http;

import io.helidon.http.HeaderValues;
import io.helidon.webserver.http.ServerResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Puts an answer on the wire with the headers that every answer has. */
final class ResponseWriter {
  private static final int CHUNK_BYTES = 64 << 10;
  private static final byte[] NOTHING = {};

  private final Watchdog watchdog;
  private final SseStreams streams;

  ResponseWriter(Watchdog watchdog, SseStreams streams) {
    this.watchdog = watchdog;
    this.streams = streams;
  }

  /**
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
        events(wire, source);
      }
    }
  }

  private static void headers(
      RequestHead head, Response response, boolean close, ServerResponse wire) {
    Response complete =
        response
            .defaultHeader("Cache-Control", "no-store")
            .header("X-Content-Type-Options", "nosniff")
            .header(RequestIds.HEADER, head.id());
    wire.status(complete.status());
    for (Response.Field field : complete.fields()) {
      wire.headers().add(HeaderValues.create(field.name(), field.value()));
    }
    if (close) {
      wire.headers().set(HeaderValues.CONNECTION_CLOSE);
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

  private void events(ServerResponse wire, SseSource source) {
    SseStream stream = new SseStream(wire.outputStream(), watchdog);
    streams.add(stream);
    try {
      // The headers leave with the first bytes, and the client waits for them.
      stream.comment("open");
      // During a shutdown the stream is 200 and ends at once: any other status would make
      // clients give up for good, while after this they connect again.
      if (!stream.closing()) {
        source.run(stream);
      }
    } catch (Exception e) {
      if (!stream.gone() && !stream.closing()) {
        Dispatcher.incident("an event stream", e);
      }
      throw new ClientGoneException(e);
    } finally {
      streams.remove(stream);
    }
  }
}
