package dev.millrace.server.settings;

import dev.millrace.server.factory.ProviderFactories;
import dev.millrace.server.settings.Setting.Default;
import dev.millrace.spi.provider.ProviderSetting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All settings that an installation has: those of the table, and those that its providers declare.
 */
final class KnownSettings {

  /** What a factory declared, by the names it uses. */
  private record Provider(ProviderFactories.Declared factory, Map<String, Setting<?>> settings) {}

  private final List<Setting<?>> all;
  private final List<Provider> providers = new ArrayList<>();

  private KnownSettings(List<Setting<?>> settings) {
    all = new ArrayList<>(settings);
  }

  /** Those of the table and of these factories; one that takes another's setting is a mistake. */
  static KnownSettings with(ProviderFactories factories, List<String> mistakes) {
    KnownSettings known = new KnownSettings(SettingsTable.ALL);
    Set<String> names = new HashSet<>();
    known.all.forEach(setting -> names.add(setting.environmentName()));
    SettingsTable.OTHER_NAMES.forEach(other -> names.add(other.name()));
    mistakes.addAll(factories.mistakes());
    for (ProviderFactories.Declared factory : factories.all()) {
      Map<String, Setting<?>> settings = new HashMap<>();
      for (ProviderSetting declared : factory.settings()) {
        Setting<?> setting = setting(declared);
        if (names.add(setting.environmentName())) {
          known.all.add(setting);
          settings.put(declared.name(), setting);
        } else {
          mistakes.add(
              "the provider "
                  + factory.name()
                  + " can't be used: "
                  + setting.environmentName()
                  + " is a setting already");
        }
      }
      known.providers.add(new Provider(factory, settings));
    }
    return known;
  }

  /** In the order in which people read about them. */
  List<Setting<?>> all() {
    return all;
  }

  /** What is set for each provider. */
  List<InstalledProvider> providers(Values values) {
    return providers.stream()
        .map(provider -> {
          Map<String, Object> set = new HashMap<>();
          provider
              .settings()
              .forEach((name, setting) ->
                  values.find(setting).ifPresent(found -> set.put(name, found.value())));
          return new InstalledProvider(provider.factory(), set);
        })
        .toList();
  }

  private static Setting<?> setting(ProviderSetting declared) {
    Default fallback =
        declared.fallback().map(Default::of).orElseGet(() -> Default.notSet(declared.unset()));
    return new Setting<>(
        Setting.PREFIX + declared.name(), kind(declared.kind()), fallback, declared.description());
  }

  private static Kind<?> kind(ProviderSetting.Kind kind) {
    return switch (kind) {
      case ProviderSetting.Kind.Word _ -> Kind.modelName();
      case ProviderSetting.Kind.Address _ -> Kind.webAddress();
      case ProviderSetting.Kind.Seconds(long least, long most) -> Kind.seconds(least, most);
      case ProviderSetting.Kind.WholeNumber(long least, long most) -> Kind.number(least, most);
      case ProviderSetting.Kind.File _ -> Kind.folder();
      case ProviderSetting.Kind.Secret _ -> Kind.token();
    };
  }
}
