package dev.millrace.service.access;

import java.util.Locale;
import java.util.UUID;

/**
 * What somebody showed to be let in.
 *
 * @param id of the key or token; whose requests are counted together
 * @param label what people may recognise it by; never the secret
 */
public record Credential(Kind kind, UUID id, String label) {

  /** How somebody got in. */
  public enum Kind {
    /** An API key of ours. */
    KEY,
    /** A short-lived token that a key made for one user. */
    TOKEN,
    /** A token or a sign-in of an identity provider. */
    IDENTITY
  }

  /** How the audit names it, as {@code key:mr_abcde}. */
  public String actor() {
    return kind.name().toLowerCase(Locale.ROOT) + ":" + label;
  }
}
