package dev.millrace.worker.http;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.spi.MediaTypes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** Writes what an address serves into a file, counting and hashing on the way. */
public final class AssetDownload {

  private static final Duration HEADERS = Duration.ofSeconds(30);
  private static final Duration STALL = Duration.ofSeconds(60);
  private static final int MAX_REDIRECTS = 5;
  private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

  private final Web web;

  public AssetDownload(Web web) {
    this.web = web;
  }

  /** A file that came. */
  public record Got(Path file, long size, String sha256, String mediaType) {}

  /** The other side answered, but with no file. */
  public static final class Refused extends IOException {
    private static final long serialVersionUID = 1L;
    private final int status;

    Refused(int status, String message) {
      super(message);
      this.status = status;
    }

    public int status() {
      return status;
    }
  }

  /**
   * Downloads. A redirect is followed without any of the headers: they may hold a key, and the
   * other place is a stranger.
   *
   * @param maxBytes more than that is refused with status 413
   */
  public Got to(Path file, URI uri, Map<String, String> headers, long maxBytes)
      throws IOException, InterruptedException {
    URI place = uri;
    Map<String, String> sent = headers;
    for (int hop = 0; hop <= MAX_REDIRECTS; hop++) {
      HttpResponse<InputStream> response = web.open(place, sent, HEADERS);
      try (InputStream body = response.body()) {
        int status = response.statusCode();
        if (REDIRECTS.contains(status)) {
          place = redirected(place, response);
          sent = Map.of();
          continue;
        }
        if (status != 200) {
          throw new Refused(status, "the download was answered with " + status);
        }
        String type = response.headers().firstValue("Content-Type").orElse("");
        return copy(body, file, maxBytes, type);
      }
    }
    throw new Refused(310, "too many redirects");
  }

  private static URI redirected(URI from, HttpResponse<?> response) throws Refused {
    String location = response.headers().firstValue("Location").orElse("");
    try {
      URI to = from.resolve(location);
      boolean downgraded = "https".equals(from.getScheme()) && !"https".equals(to.getScheme());
      if (!location.isEmpty() && !downgraded && to.getHost() != null) {
        return to;
      }
    } catch (IllegalArgumentException _) {
      // As bad as none.
    }
    throw new Refused(response.statusCode(), "a redirect to nowhere");
  }

  private static Got copy(InputStream body, Path file, long maxBytes, String type)
      throws IOException {
    MessageDigest hash = Sha256.start();
    AtomicLong size = new AtomicLong();
    Thread watch = watch(body, size);
    try (OutputStream out = Files.newOutputStream(file)) {
      byte[] buffer = new byte[64 * 1024];
      for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
        if (size.addAndGet(n) > maxBytes) {
          throw new Refused(413, "the file is larger than " + maxBytes + " bytes");
        }
        hash.update(buffer, 0, n);
        out.write(buffer, 0, n);
      }
    } finally {
      watch.interrupt();
    }
    String sha256 = Sha256.hex(hash);
    return new Got(file, size.get(), sha256, MediaTypes.essence(type));
  }

  /** Closes the stream when nothing has come for a while, which ends a read that would not. */
  private static Thread watch(InputStream body, AtomicLong size) {
    return Thread.ofVirtual()
        .name("download-watch")
        .start(() -> {
          long before = -1;
          try {
            while (before != size.get()) {
              before = size.get();
              Thread.sleep(STALL);
            }
            body.close();
          } catch (InterruptedException | IOException _) {
            // The copy has ended, or ends now.
          }
        });
  }
}
