package dev.millrace.service.identity;

import dev.millrace.service.access.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the claims of a token say about somebody here. A claim is named by its name, or by a path
 * with dots into what it holds, such as {@code realm_access.roles}.
 *
 * @param tenant the slug of everybody's tenant, unless a claim names it
 * @param tenantClaim the claim with the slug of the tenant; null if all are of one tenant
 * @param rolesClaim the claim with what the table knows: an array, or texts with spaces between
 * @param userClaim the claim with the user that somebody of the role user acts for
 * @param nameClaim the claim that people may be recognised by in the audit; null for the subject
 */
public record ClaimRules(
    String tenant,
    @Nullable String tenantClaim,
    String rolesClaim,
    RoleTable roles,
    String userClaim,
    @Nullable String nameClaim) {

  /** The claim that says who somebody is, for ever. */
  static final String SUBJECT = "sub";

  private static final int LONGEST_ID = 200;
  private static final int LONGEST_NAME = 100;
  private static final int MOST_VALUES = 1_000;

  /** What came of reading the claims. */
  sealed interface Reading {

    /**
     * Somebody with a role in a tenant.
     *
     * @param user the one user to act for; null for any
     * @param label how people recognise him, which ends with the subject
     */
    record Person(String tenant, Role role, String subject, @Nullable String user, String label)
        implements Reading {}

    /**
     * Somebody who has nothing here.
     *
     * @param reason a sentence for him
     */
    record Nobody(String reason) implements Reading {}
  }

  /** Who somebody with these claims is; they were checked before. */
  Reading read(Map<String, ?> claims) {
    Optional<String> subject = text(claims, SUBJECT).filter(ClaimRules::isId);
    if (subject.isEmpty()) {
      return nobody("Your identity provider doesn't say who you are: the claim sub is missing.");
    }
    Optional<Role> role = roles.best(values(claims, rolesClaim));
    if (role.isEmpty()) {
      return nobody(
          "Your identity provider gives you no role that counts here. Ask whoever runs this server"
              + " for one; MILLRACE_IDENTITY_ROLES says which count.");
    }
    Optional<String> slug =
        tenantClaim == null
            ? Optional.of(tenant)
            : values(claims, tenantClaim).stream().findFirst();
    if (slug.isEmpty()) {
      return nobody("Your identity provider doesn't say which tenant you belong to.");
    }
    Optional<String> user = text(claims, userClaim).filter(ClaimRules::isId);
    if (role.get() == Role.USER && user.isEmpty()) {
      return nobody("Your identity provider doesn't say which user you are.");
    }
    return new Reading.Person(
        slug.get(),
        role.get(),
        subject.get(),
        role.get() == Role.USER ? user.orElseThrow() : null,
        label(claims, subject.get()));
  }

  /** Whether a claim is missing that another answer of the provider may have. */
  boolean wantsMoreThan(Map<String, ?> claims) {
    return find(claims, rolesClaim).isEmpty()
        || find(claims, userClaim).isEmpty()
        || (tenantClaim != null && find(claims, tenantClaim).isEmpty())
        || (nameClaim != null && find(claims, nameClaim).isEmpty());
  }

  private static Reading nobody(String reason) {
    return new Reading.Nobody(reason);
  }

  /** People may choose their names; the subject is what nobody else has. */
  private String label(Map<String, ?> claims, String subject) {
    String name =
        nameClaim == null
            ? ""
            : text(claims, nameClaim).orElse("").replaceAll("\\p{Cntrl}", " ").strip();
    String shown = name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) : name;
    return shown.isEmpty() || shown.equals(subject) ? subject : shown + " (" + subject + ")";
  }

  private static boolean isId(String text) {
    return !text.isBlank()
        && text.length() <= LONGEST_ID
        && text.chars().noneMatch(Character::isISOControl);
  }

  private static Optional<String> text(Map<String, ?> claims, String path) {
    return find(claims, path).filter(String.class::isInstance).map(String.class::cast);
  }

  /** The texts of an array, or of a text with spaces between them. */
  private static List<String> values(Map<String, ?> claims, String path) {
    List<String> values = new ArrayList<>();
    switch (find(claims, path).orElse("")) {
      case String text -> values.addAll(Arrays.asList(text.strip().split("\\s+", MOST_VALUES)));
      case Collection<?> many ->
          many.stream()
              .limit(MOST_VALUES)
              .filter(String.class::isInstance)
              .map(String.class::cast)
              .forEach(values::add);
      default -> {
        // A number or an object gives nothing.
      }
    }
    values.removeIf(String::isBlank);
    return values;
  }

  /** A claim's own name may have dots in it, so the whole path is tried as a name first. */
  private static Optional<Object> find(Map<?, ?> claims, String path) {
    Object whole = claims.get(path);
    if (whole != null) {
      return Optional.of(whole);
    }
    int dot = path.indexOf('.');
    return dot > 0 && claims.get(path.substring(0, dot)) instanceof Map<?, ?> inner
        ? find(inner, path.substring(dot + 1))
        : Optional.empty();
  }
}
