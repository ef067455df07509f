package dev.millrace.service.identity;

import dev.millrace.service.access.Role;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Which of our roles a value of the roles claim gives. */
public record RoleTable(Map<String, Role> roles) {

  /** Gives nobody anything. */
  public static final RoleTable NONE = new RoleTable(Map.of());

  public RoleTable {
    roles = Map.copyOf(roles);
  }

  /**
   * Reads a table such as {@code millrace-admins=admin, staff=user}.
   *
   * @throws IllegalArgumentException if an entry isn't one, names no role of ours or comes twice
   */
  public static RoleTable parse(String text) {
    Map<String, Role> roles = new LinkedHashMap<>();
    for (String entry : text.split(",", -1)) {
      int sign = entry.lastIndexOf('=');
      String value = sign < 0 ? "" : entry.substring(0, sign).strip();
      Optional<Role> role = Role.ofLabel(entry.substring(sign + 1).strip());
      if (value.isEmpty() || role.isEmpty() || roles.put(value, role.get()) != null) {
        throw new IllegalArgumentException("no table of roles");
      }
    }
    return new RoleTable(roles);
  }

  /** The highest role that one of these values gives. */
  Optional<Role> best(Collection<String> values) {
    return values.stream()
        .flatMap(value -> Optional.ofNullable(roles.get(value)).stream())
        .max(Role::compareTo);
  }

  /** As it is written in a setting, in the order of the values. */
  @Override
  public String toString() {
    return roles.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(entry -> entry.getKey() + "=" + entry.getValue().label())
        .collect(Collectors.joining(", "));
  }

  /** For those who write one. */
  public static String names() {
    return Arrays.stream(Role.values()).map(Role::label).collect(Collectors.joining(", "));
  }
}
