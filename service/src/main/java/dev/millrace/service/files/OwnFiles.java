package dev.millrace.service.files;

import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.files.Files;
import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.catalogue.FileRule;
import dev.millrace.service.catalogue.Resolution.InputError;
import dev.millrace.service.catalogue.Workflow;
import dev.millrace.storage.MediaType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The gate for files: an input may name only files that its user has, and that the property takes.
 * A file of somebody else is told from a missing one by nobody.
 */
public final class OwnFiles {

  private static final UUID NO_FILE = new UUID(0, 0);

  private final Files files;

  public OwnFiles(Files files) {
    this.files = files;
  }

  /** What is wrong with the files of a resolved input. */
  public List<InputError> mistakes(int tenant, String user, Effect effect, ObjectNode input) {
    Map<String, UUID> named = named(effect.workflow(), input);
    if (named.isEmpty()) {
      return List.of();
    }
    Map<UUID, FileView> owned =
        files.owned(tenant, user, named.values()).stream()
            .collect(Collectors.toMap(FileView::id, Function.identity()));
    List<InputError> errors = new ArrayList<>();
    named.forEach((property, id) ->
        mistake(effect.workflow().properties().files().get(property), owned.get(id))
            .ifPresent(message -> errors.add(new InputError("/input/" + property, message))));
    return errors;
  }

  /** The files that an input names, by property. */
  static Map<String, UUID> named(Workflow workflow, ObjectNode input) {
    Map<String, UUID> named = new LinkedHashMap<>();
    for (String property : workflow.properties().files().keySet()) {
      if (input.path(property).isString()) {
        named.put(property, id(input.path(property).stringValue()));
      }
    }
    return named;
  }

  /** A job may be older than the property's being a file; then its text names none. */
  static UUID id(String text) {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException _) {
      return NO_FILE;
    }
  }

  private static Optional<String> mistake(@Nullable FileRule rule, @Nullable FileView file) {
    if (file == null) {
      return Optional.of("is not a file of this user that is ready to be used");
    }
    if (rule == null) {
      return Optional.empty();
    }
    List<String> types = rule.mediaTypes().stream().map(MediaType::essence).toList();
    if (!types.isEmpty() && !types.contains(file.content().mediaType())) {
      return Optional.of(
          "must be a file of type "
              + String.join(" or ", types)
              + ", not "
              + file.content().mediaType());
    }
    Long most = rule.maxBytes();
    if (most != null && file.content().size() > most) {
      return Optional.of(
          "must be a file of at most " + most + " bytes, not " + file.content().size());
    }
    return Optional.empty();
  }
}
