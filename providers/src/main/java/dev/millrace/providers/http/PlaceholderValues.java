package dev.millrace.providers.http;

import dev.millrace.providers.wire.WireJson;
import dev.millrace.spi.provider.Order;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The values that placeholders of a description stand for. */
final class PlaceholderValues {

  private static final String SECRET = "secret.";

  private final ObjectNode values;
  private final Function<String, List<String>> secrets;

  private PlaceholderValues(ObjectNode values, Function<String, List<String>> secrets) {
    this.values = values;
    this.secrets = secrets;
  }

  static PlaceholderValues of(Order order, Function<String, List<String>> secrets) {
    ObjectNode values = JsonNodeFactory.instance.objectNode();
    values.put("intent", order.intent());
    values.put("job_id", order.jobId());
    values.put("attempt", order.attempt());
    values.set("input", WireJson.tree(order.input()));
    values.set("settings", WireJson.tree(order.settings()));
    order.callback().ifPresent(callback -> values.put("callback", callback.toString()));
    order.runFor().ifPresent(time -> values.put("run_seconds", time.toSeconds()));
    return new PlaceholderValues(values, secrets);
  }

  PlaceholderValues with(String reference) {
    ObjectNode more = values.deepCopy();
    more.put("reference", reference);
    return new PlaceholderValues(more, secrets);
  }

  /** The value of a name such as {@code input.size.width}; empty if there is none. */
  Optional<JsonNode> value(String name) {
    if (name.startsWith(SECRET)) {
      return secrets.apply(name.substring(SECRET.length())).stream()
          .findFirst()
          .map(JsonNodeFactory.instance::stringNode);
    }
    JsonNode value = values;
    for (String key : name.split("\\.", -1)) {
      value = value.path(key);
    }
    return value.isMissingNode() ? Optional.empty() : Optional.of(value);
  }

  /** A body with its placeholders filled; keys and items whose value is missing are left out. */
  Optional<JsonNode> fill(JsonNode template) {
    if (template.isString()) {
      Template text = Template.of(template.stringValue());
      return text.onlyName().isPresent()
          ? value(text.onlyName().get())
          : text.text(this).map(JsonNodeFactory.instance::stringNode);
    }
    if (template.isObject()) {
      ObjectNode filled = JsonNodeFactory.instance.objectNode();
      for (Map.Entry<String, JsonNode> property : template.properties()) {
        fill(property.getValue()).ifPresent(value -> filled.set(property.getKey(), value));
      }
      return Optional.of(filled);
    }
    if (template.isArray()) {
      var filled = JsonNodeFactory.instance.arrayNode();
      template.values().forEach(item -> fill(item).ifPresent(filled::add));
      return Optional.of(filled);
    }
    return Optional.of(template);
  }
}
