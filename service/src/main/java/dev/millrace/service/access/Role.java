package dev.millrace.service.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What somebody may do; each role includes the ones before it. The first three are a tenant's own.
 * An operator keeps the installation: what all tenants share is the operator's.
 */
public enum Role {
  USER,
  REVIEWER,
  ADMIN,
  OPERATOR;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public boolean includes(Role other) {
    return compareTo(other) >= 0;
  }

  public static Optional<Role> ofLabel(String label) {
    return Arrays.stream(values()).filter(role -> role.label().equals(label)).findFirst();
  }
}
