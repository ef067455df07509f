package dev.millrace.server.settings;

import dev.millrace.server.factory.ProviderFactories;
import dev.millrace.service.access.Secret;
import dev.millrace.spi.provider.ProviderFactory;
import dev.millrace.spi.provider.ProviderSetting;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A provider's factory, and what an operator has set for it. */
public final class InstalledProvider {

  private final ProviderFactories.Declared declared;
  private final Map<String, Object> values;

  /**
   * One of them.
   *
   * @param values by the setting's name; without those that are not set
   */
  InstalledProvider(ProviderFactories.Declared declared, Map<String, Object> values) {
    this.declared = declared;
    this.values = Map.copyOf(values);
  }

  public ProviderFactory factory() {
    return declared.factory();
  }

  public String name() {
    return declared.name();
  }

  /** The names of the settings that are secret. */
  public List<String> secrets() {
    return declared.settings().stream()
        .filter(setting -> setting.kind() instanceof ProviderSetting.Kind.Secret)
        .map(ProviderSetting::name)
        .toList();
  }

  /**
   * What is set, or else its default.
   *
   * @throws IllegalArgumentException if the factory declares no such setting of this kind
   */
  public <T> Optional<T> value(
      String setting, Class<? extends ProviderSetting.Kind> kind, Class<T> type) {
    boolean known =
        declared.settings().stream()
            .anyMatch(one -> one.name().equals(setting) && kind.isInstance(one.kind()));
    if (!known) {
      throw new IllegalArgumentException(
          name() + " declares no setting " + setting + " of the kind " + kind.getSimpleName());
    }
    return Optional.ofNullable(values.get(setting)).map(type::cast);
  }

  /** The secret that is set for everybody. */
  public Optional<Secret> secret(String setting) {
    return value(setting, ProviderSetting.Kind.Secret.class, Secret.class);
  }

  /** What an operator sets in the environment. */
  public static String environmentName(String setting) {
    return Setting.environmentName(Setting.PREFIX + setting);
  }

  /** A secret prints as a mask. */
  @Override
  public String toString() {
    return name() + values;
  }
}
