package dev.millrace.web.console.frame;

import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** The few files that pages load: our style and scripts, and the vendored htmx. */
public final class Assets {

  private static final Map<String, String> TYPES =
      Map.of(
          "console.css", "text/css; charset=utf-8",
          "console.js", "text/javascript; charset=utf-8",
          "htmx.js", "text/javascript; charset=utf-8",
          "live.js", "text/javascript; charset=utf-8",
          "mark.svg", "image/svg+xml");

  private static final Map<String, byte[]> FILES = load();

  /** Another one whenever a file changes, so that browsers may keep them for ever. */
  static final String VERSION = version();

  private Assets() {}

  public static List<Route> routes() {
    return List.of(Route.get("/console/assets/{name}", Assets::serve));
  }

  private static Response serve(Request request) {
    String name = request.pathParameter("name");
    byte @Nullable [] bytes = FILES.get(name);
    if (bytes == null) {
      throw ProblemException.notFound();
    }
    return Response.bytes(200, TYPES.getOrDefault(name, "application/octet-stream"), bytes)
        .header("Cache-Control", "public, max-age=31536000, immutable")
        .header("X-Content-Type-Options", "nosniff");
  }

  private static Map<String, byte[]> load() {
    Map<String, byte[]> files = new LinkedHashMap<>();
    TYPES.keySet().stream().sorted().forEach(name -> files.put(name, read(name)));
    return files;
  }

  private static byte[] read(String name) {
    String file = "assets/" + (name.equals("htmx.js") ? "vendor/htmx.min.js" : name);
    try (InputStream in = Assets.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("The program lacks its own " + file);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String version() {
    CRC32 crc = new CRC32();
    FILES.values().forEach(crc::update);
    return Long.toHexString(crc.getValue());
  }
}
