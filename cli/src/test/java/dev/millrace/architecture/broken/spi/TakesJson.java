package dev.millrace.architecture.broken.spi;

import tools.jackson.databind.JsonNode;

/** Every provider's jar would need JSON to be compiled. */
public record TakesJson(JsonNode node) {}
