package dev.millrace.spi.provider;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.Map;

/**
 * The content of an output that still lies at the service's address. Whoever stores it fetches it,
 * as carefully as any address that somebody else names.
 *
 * @param address http or https
 * @param headers to send to the address's own host, and never to another that it redirects to
 */
public record Elsewhere(URI address, Map<String, String> headers) implements Output.Content {

  public Elsewhere {
    headers = Map.copyOf(headers);
    String scheme = address.getScheme();
    if (address.getHost() == null
        || !("https".equalsIgnoreCase(scheme) || "http".equalsIgnoreCase(scheme))) {
      throw new IllegalArgumentException("an output's address is http or https, with a host");
    }
  }

  /** Always refuses: there are no bytes here, and nobody should think that there are none. */
  @Override
  public void writeTo(OutputStream out) throws IOException {
    throw new IOException("this output has to be fetched from its address");
  }

  /** Addresses are often the only key to what lies there. */
  @Override
  public String toString() {
    return "Elsewhere[" + address.getHost() + "]";
  }
}
