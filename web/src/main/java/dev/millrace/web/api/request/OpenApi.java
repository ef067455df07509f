package dev.millrace.web.api.request;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The API's description, written as YAML and served as JSON. */
public final class OpenApi {

  private static final byte[] JSON = load().toString().getBytes(StandardCharsets.UTF_8);

  private OpenApi() {}

  public static byte[] json() {
    return JSON.clone();
  }

  public static JsonNode load() {
    return load("/openapi.yaml");
  }

  /** Another description, which lies beside it. */
  public static JsonNode load(String resource) {
    try (InputStream file = OpenApi.class.getResourceAsStream(resource)) {
      return YAMLMapper.shared().readTree(Objects.requireNonNull(file, resource));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
