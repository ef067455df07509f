package dev.millrace.service.catalogue;

import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** What an effect brings along: values that a user may change, those that stay, and files. */
public record Preset(ObjectNode overrides, ObjectNode fixed, Map<String, AssetFile> assets) {}
