package dev.millrace.worker.http;

import java.io.FileNotFoundException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;

/**
 * A form with one file, as a browser would send it.
 *
 * @param contentType for the header of the request
 */
public record Multipart(String contentType, BodyPublisher body) {

  /**
   * A form.
   *
   * @param field the name of the file's field
   * @param fileName without quotes and line breaks; the caller made it
   */
  public static Multipart of(
      Map<String, String> fields, String field, String fileName, String mediaType, Path file)
      throws FileNotFoundException {
    String boundary = "millrace-" + UUID.randomUUID();
    StringBuilder head = new StringBuilder();
    fields.forEach((name, value) ->
        head.append(
            "--%s\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n"
                .formatted(boundary, name, value)));
    head.append(
        "--%s\r\nContent-Disposition: form-data; name=\"%s\"; filename=\"%s\"\r\n"
            .formatted(boundary, field, fileName));
    head.append("Content-Type: %s\r\n\r\n".formatted(mediaType));
    return new Multipart(
        "multipart/form-data; boundary=" + boundary,
        BodyPublishers.concat(
            BodyPublishers.ofString(head.toString(), StandardCharsets.UTF_8),
            BodyPublishers.ofFile(file),
            BodyPublishers.ofString("\r\n--" + boundary + "--\r\n", StandardCharsets.UTF_8)));
  }
}
