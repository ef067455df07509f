package dev.millrace.cli.api;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Why the server said no, from its {@code application/problem+json} answer.
 *
 * @param code the machine-readable reason; {@code http_<status>} if the answer was no problem+json,
 *     which means that something else than Millrace answered
 * @param detail a sentence for people, possibly empty
 * @param json the whole answer, for fields that only some problems have
 */
public record ApiProblem(
    int status, String code, String detail, List<FieldError> errors, JsonNode json) {

  /** One invalid field, as a JSON pointer into the request. */
  public record FieldError(String path, String message) {}

  public ApiProblem {
    errors = List.copyOf(errors);
  }

  static ApiProblem of(int status, byte[] body) {
    JsonNode json = parseOrEmpty(body);
    String code = ApiJson.text(json, "code");
    String detail = ApiJson.text(json, "detail");
    List<FieldError> errors = new ArrayList<>();
    for (JsonNode error : json.path("errors")) {
      errors.add(new FieldError(ApiJson.text(error, "path"), ApiJson.text(error, "message")));
    }
    return new ApiProblem(
        status,
        code.isEmpty() ? "http_" + status : code,
        detail.isEmpty() ? ApiJson.text(json, "title") : detail,
        errors,
        json);
  }

  /** True for answers that promise nothing about the next try: it may well succeed. */
  boolean passing() {
    return status == 502 || status == 503 || status == 504;
  }

  private static JsonNode parseOrEmpty(byte[] body) {
    try {
      JsonNode json = ApiJson.parse(body);
      return json.isObject() ? json : ApiJson.object();
    } catch (JacksonException _) {
      // A proxy's HTML page says nothing that its status does not.
      return ApiJson.object();
    }
  }
}
