package dev.millrace.server.rig;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An open event stream, read frame by frame. */
public final class Sse implements AutoCloseable {

  /** One frame: its lines by their field's name; a comment has the name {@code ""}. */
  public record Frame(String id, String event, String data, String comment) {
    public JsonNode json() {
      return JsonMapper.shared().readTree(data);
    }
  }

  private final HttpResponse<InputStream> response;
  private final BufferedReader lines;

  public Sse(HttpResponse<InputStream> response) {
    this.response = response;
    this.lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }

  public int status() {
    return response.statusCode();
  }

  public Optional<String> header(String name) {
    return response.headers().firstValue(name);
  }

  /** The next frame, or nothing if the stream has ended. */
  public Optional<Frame> next() throws IOException {
    String id = "";
    String event = "";
    String data = "";
    String comment = "";
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.isEmpty()) {
        return Optional.of(new Frame(id, event, data, comment));
      }
      String value = line.substring(line.indexOf(':') + 1).strip();
      switch (line.substring(0, line.indexOf(':'))) {
        case "id" -> id = value;
        case "event" -> event = value;
        case "data" -> data += value;
        default -> comment = value;
      }
    }
    return Optional.empty();
  }

  /** The next event, comments left out. */
  public Optional<Frame> nextEvent() throws IOException {
    Optional<Frame> frame = next();
    while (frame.isPresent() && frame.get().event().isEmpty()) {
      frame = next();
    }
    return frame;
  }

  /** All events until the stream ends by itself. */
  public List<Frame> toTheEnd() throws IOException {
    List<Frame> frames = new ArrayList<>();
    for (Optional<Frame> frame = nextEvent(); frame.isPresent(); frame = nextEvent()) {
      frames.add(frame.get());
    }
    return frames;
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
