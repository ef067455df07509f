package dev.millrace.server.factory;

import dev.millrace.spi.provider.ProviderFactory;
import dev.millrace.spi.provider.ProviderSetting;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The factories of providers that were found, and what is wrong with the others. */
public final class ProviderFactories {

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");

  private final Map<String, Declared> byName = new TreeMap<>();
  private final List<String> mistakes = new ArrayList<>();

  private ProviderFactories() {}

  /** A factory with what it said when it was found. */
  public record Declared(ProviderFactory factory, String name, List<ProviderSetting> settings) {}

  /**
   * Looks for them.
   *
   * @param folder where jars may be; null for the class path only. One that isn't there has none.
   */
  public static ProviderFactories find(@Nullable Path folder) {
    ProviderFactories found = new ProviderFactories();
    try {
      ServiceLoader.load(ProviderFactory.class, loader(folder)).forEach(found::add);
    } catch (IOException e) {
      found.mistakes.add("the providers in " + folder + " can't be read: " + e.getMessage());
    } catch (ServiceConfigurationError e) {
      found.mistakes.add("a provider can't be loaded: " + e.getMessage());
    }
    return found;
  }

  /** In the order of their names. */
  public List<Declared> all() {
    return List.copyOf(byName.values());
  }

  /** One sentence each. */
  public List<String> mistakes() {
    return List.copyOf(mistakes);
  }

  /** It stays open as long as the process lives: a class may be needed at any time. */
  private static ClassLoader loader(@Nullable Path folder) throws IOException {
    ClassLoader own = ProviderFactories.class.getClassLoader();
    if (folder == null || !Files.isDirectory(folder)) {
      return own;
    }
    List<URL> jars = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path jar : files.filter(file -> file.toString().endsWith(".jar")).sorted().toList()) {
        jars.add(jar.toUri().toURL());
      }
    }
    return jars.isEmpty() ? own : new URLClassLoader(jars.toArray(URL[]::new), own);
  }

  private void add(ProviderFactory factory) {
    String type = factory.getClass().getName();
    try {
      Declared declared = new Declared(factory, factory.name(), List.copyOf(factory.settings()));
      check(declared);
      if (byName.putIfAbsent(declared.name(), declared) != null) {
        mistakes.add("there are two providers called " + declared.name() + ", one is " + type);
      }
    } catch (RuntimeException | LinkageError e) {
      mistakes.add("the provider of " + type + " can't be used: " + e.getMessage());
    }
  }

  private static void check(Declared declared) {
    String name = declared.name();
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("its name has other signs than a-z, 0-9 and dashes");
    }
    List<String> settings = declared.settings().stream().map(ProviderSetting::name).toList();
    for (String setting : settings) {
      if (!setting.startsWith(name + "-")) {
        throw new IllegalArgumentException(setting + " must begin with " + name + "-");
      }
    }
    if (settings.stream().distinct().count() < settings.size()) {
      throw new IllegalArgumentException("it has a setting twice");
    }
    declared
        .factory()
        .account()
        .filter(it -> !settings.contains(it.needed()) || !settings.contains(it.key()))
        .ifPresent(_ -> {
          throw new IllegalArgumentException("its account is not among its settings");
        });
  }
}
