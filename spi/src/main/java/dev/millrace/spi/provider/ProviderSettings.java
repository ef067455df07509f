package dev.millrace.spi.provider;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is set for one provider: for everybody, or for one tenant with its own account.
 *
 * <p>Each method takes the name of a setting that the factory declares with the kind that the
 * method is for; anything else is a bug and an {@link IllegalArgumentException}. What has a default
 * is never empty.
 */
public interface ProviderSettings {

  /** The tenant's slug; empty if this is for everybody. */
  Optional<String> tenant();

  /** A word. */
  Optional<String> text(String name);

  /** A URL without a slash at its end. */
  Optional<URI> address(String name);

  /** A number of seconds. */
  Optional<Duration> duration(String name);

  /** A whole number. */
  OptionalLong number(String name);

  /** A file or a folder; absolute. */
  Optional<Path> file(String name);

  /**
   * A key. For a tenant this is the tenant's own and never everybody's: it is in the file of
   * secrets as the setting's name with underscores, an @ and the tenant's slug.
   */
  Optional<String> secret(String name);

  /** The file of secrets, without those of tenants; several values of one have been split. */
  Map<String, List<String>> secrets();

  /** The folder of providers, where a factory may look for files of its own. */
  Optional<Path> folder();

  /**
   * Hosts beside the public internet that URLs from users and services may lead to, with commas
   * between them, as the operator has set them.
   */
  String fetchAllow();
}
