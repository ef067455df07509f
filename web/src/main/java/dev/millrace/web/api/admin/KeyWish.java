package dev.millrace.web.api.admin;

import dev.millrace.service.access.ApiKeys;
import dev.millrace.service.access.Bounds;
import dev.millrace.service.access.Role;
import dev.millrace.web.api.request.Body;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a new key is to be.
 *
 * @param user the one user it acts for; null for any
 */
public record KeyWish(String name, Role role, @Nullable String user) {

  /** As a request or a form says it. */
  public static KeyWish read(ObjectNode fields) {
    Body body = Body.of(fields, "name", "role", "user");
    String name = body.text("name");
    String label = body.text("role");
    Optional<Role> role = Role.ofLabel(label);
    if (role.isEmpty() && !label.isEmpty()) {
      body.wrong("role", "must be user, reviewer, admin or operator");
    }
    @Nullable String user = body.userOrNull("user");
    body.requireGood();
    return new KeyWish(name, role.orElseThrow(), user);
  }

  public ApiKeys.Wish wish() {
    return new ApiKeys.Wish(name, role, Bounds.of(user), null);
  }
}
