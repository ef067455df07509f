package dev.millrace.web.api.request;

import dev.millrace.web.http.Request;
import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How clients reach this server: as configured, or else as this request did. */
public final class PublicUrl {

  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?");
  private static final Pattern HOST_V6 = Pattern.compile("\\[[0-9A-Fa-f:.]{2,45}](:[0-9]{1,5})?");

  private final @Nullable URI configured;

  public PublicUrl(@Nullable URI configured) {
    this.configured = configured;
  }

  /** As configured; empty if it is told by each request. */
  public Optional<URI> configured() {
    return Optional.ofNullable(configured);
  }

  public URI of(Request request) {
    if (configured != null) {
      return configured;
    }
    String host = request.header("host").orElse("");
    boolean sane = HOST.matcher(host).matches() || HOST_V6.matcher(host).matches();
    return URI.create("http://" + (sane ? host : "localhost"));
  }
}
