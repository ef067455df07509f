package dev.millrace.web.api.admin;

import dev.millrace.service.access.ApiKeys;
import dev.millrace.service.access.Bounds;
import dev.millrace.service.access.Role;
import dev.millrace.service.access.Scope;
import dev.millrace.web.api.request.Body;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads what a new key is to be, as a request or a form says it. */
public final class KeyWish {

  private static final int MOST_BOUNDS = 200;
  private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");

  private KeyWish() {}

  public static ApiKeys.Wish read(ObjectNode fields) {
    Body body =
        Body.of(fields, "name", "role", "user", "workspace", "effects", "scopes", "ends_at");
    String name = body.text("name");
    String label = body.text("role");
    Optional<Role> role = Role.ofLabel(label);
    if (role.isEmpty() && !label.isEmpty()) {
      body.wrong("role", "must be user, reviewer, admin or operator");
    }
    Bounds bounds =
        new Bounds(
            body.userOrNull("user"),
            body.textOrNull("workspace"),
            texts(body, "effects"),
            scopes(body, role.orElse(Role.USER)));
    @Nullable Instant endsAt = instant(body);
    body.requireGood();
    return new ApiKeys.Wish(name, role.orElseThrow(), bounds, endsAt);
  }

  /** Some texts, or null if none are named, which is no bound. */
  public static @Nullable Set<String> texts(Body body, String name) {
    JsonNode list = body.raw(name);
    if (list == null || list.isNull()) {
      return null;
    }
    Set<String> texts = new LinkedHashSet<>();
    list.forEach(each -> texts.add(each.isString() ? each.stringValue().strip() : ""));
    if (!list.isArray() || texts.isEmpty() || texts.size() > MOST_BOUNDS || texts.contains("")) {
      body.wrong(name, "must be a list of 1 to %d texts, or left out".formatted(MOST_BOUNDS));
      return null;
    }
    return new HashSet<>(texts);
  }

  private static @Nullable Set<Scope> scopes(Body body, Role role) {
    @Nullable Set<String> labels = texts(body, "scopes");
    if (labels == null) {
      return null;
    }
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    for (String label : labels) {
      Optional<Scope> scope = Scope.ofLabel(label);
      if (scope.isEmpty()) {
        body.wrong("scopes", "names a scope that does not exist");
      } else if (!role.includes(scope.get().least())) {
        body.wrong("scopes", "names a scope that the role does not have: " + label);
      } else {
        scopes.add(scope.get());
      }
    }
    return scopes;
  }

  private static @Nullable Instant instant(Body body) {
    @Nullable String text = body.textOrNull("ends_at");
    if (text == null) {
      return null;
    }
    try {
      Instant end = Instant.parse(text);
      if (end.isAfter(Instant.EPOCH) && end.isBefore(LATEST)) {
        return end;
      }
    } catch (DateTimeParseException e) {
      // Answered below, like a time that is too far away.
    }
    body.wrong("ends_at", "must be a time such as 2030-01-31T12:00:00Z");
    return null;
  }
}
