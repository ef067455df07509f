package dev.millrace.web.http;

import dev.millrace.spi.MediaTypes;
import java.util.Locale;

/** The little of media types that the layer must understand. */
final class RequestMediaTypes {
  private RequestMediaTypes() {}

  /** True for {@code application/json} and {@code application/*+json}, in UTF-8 if it says. */
  static boolean isJson(String contentType) {
    String[] parts = contentType.toLowerCase(Locale.ROOT).split(";", -1);
    String type = MediaTypes.essence(contentType);
    if (!type.equals("application/json")
        && !(type.startsWith("application/") && type.endsWith("+json"))) {
      return false;
    }
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip().replace("\"", "");
      if (parameter.startsWith("charset=") && !parameter.equals("charset=utf-8")) {
        return false;
      }
    }
    return true;
  }
}
