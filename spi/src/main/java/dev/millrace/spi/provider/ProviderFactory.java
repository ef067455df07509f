package dev.millrace.spi.provider;

import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * Makes a provider from what an operator has set. A jar names its factory in {@code
 * META-INF/services/dev.millrace.spi.provider.ProviderFactory}; the server finds it on its class
 * path and in its folder of providers, and nothing else has to be told of it.
 *
 * <p>A factory has a constructor without arguments, which does nothing. The settings it takes are
 * checked, documented and shown by the server as its own are.
 */
public interface ProviderFactory {

  /** The name of its provider, such as {@code replicate}; lower case letters, digits and dashes. */
  String name();

  /** What an operator can set, each with a name that begins with {@link #name()} and a dash. */
  default List<ProviderSetting> settings() {
    return List.of();
  }

  /** What its work is paid with; empty if it needs no key. */
  default Optional<Account> account() {
    return Optional.empty();
  }

  /**
   * Makes the provider. Asked once with what is set for everybody, and once for each tenant that
   * has a secret of its own for this factory.
   *
   * @return nothing if what it needs is not set
   * @throws IllegalArgumentException if what is set can't be used; the message is shown to the
   *     operator, so it has no secret in it
   */
  List<Performer> performers(ProviderSettings settings);

  /**
   * Addresses that the operator has set and that outputs may be fetched from, even where they
   * aren't public. Asked only if there are performers.
   */
  default List<URI> outputAddresses(ProviderSettings settings) {
    return List.of();
  }

  /**
   * What tells an operator how to have the provider, and which key it works with.
   *
   * @param needed the name of the setting without which there is no such provider
   * @param key the name of the secret that it is paid with
   */
  record Account(String needed, String key) {}
}
