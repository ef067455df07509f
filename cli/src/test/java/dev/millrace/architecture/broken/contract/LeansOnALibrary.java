package dev.millrace.architecture.broken.contract;

import tools.jackson.databind.JsonNode;

/** The contract would drag JSON into whatever uses it. */
public record LeansOnALibrary(JsonNode node) {}
