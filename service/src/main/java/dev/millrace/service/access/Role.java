package dev.millrace.service.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a key may do; each role includes the ones before it. */
public enum Role {
  USER,
  REVIEWER,
  ADMIN;

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
