package dev.millrace.web.dialect;

import dev.millrace.postgres.files.FileView;
import dev.millrace.web.api.json.JobJson;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a client wrote on a file that it brought.
 *
 * @param name as it was brought, which may say more than the one that it is stored under
 * @param purpose what for; empty if nobody said
 */
public record FileNotes(String name, String purpose, ObjectNode metadata) {

  public static final String NAME = "name";
  public static final String PURPOSE = "purpose";
  public static final String METADATA = "metadata";

  public static FileNotes of(FileView file) {
    JsonNode notes = JobJson.object(file.content().notes());
    return new FileNotes(
        notes.path(NAME).asString(file.name()),
        notes.path(PURPOSE).asString(""),
        notes.path(METADATA) instanceof ObjectNode metadata
            ? metadata
            : JsonMapper.shared().createObjectNode());
  }
}
