package dev.millrace.providers.wire;

import dev.millrace.spi.MediaTypes;
import dev.millrace.spi.provider.Output;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;

/** A small file that is written into an address: {@code data:image/png;base64,...}. */
record DataUrl(String mediaType, Output.Content content) {

  static Optional<DataUrl> read(String url) {
    int comma = url.indexOf(',');
    if (comma < 0 || comma > 200) {
      return Optional.empty();
    }
    String head = url.substring("data:".length(), comma);
    String body = url.substring(comma + 1);
    try {
      byte[] bytes =
          head.toLowerCase(Locale.ROOT).endsWith(";base64")
              ? Base64.getMimeDecoder().decode(body)
              // A plus is a plus in an address, and not the space that it is in a form.
              : URLDecoder.decode(body.replace("+", "%2B"), StandardCharsets.UTF_8)
                  .getBytes(StandardCharsets.UTF_8);
      String type = head.isEmpty() || head.startsWith(";") ? "text/plain" : MediaTypes.plain(head);
      return Optional.of(new DataUrl(type, out -> out.write(bytes)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
