package dev.millrace.worker;

import dev.millrace.spi.executor.Executor;
import dev.millrace.worker.cloud.CloudExecutor;
import dev.millrace.worker.comfy.ComfyUiExecutor;
import dev.millrace.worker.command.CommandExecutor;
import dev.millrace.worker.http.Web;
import dev.millrace.worker.log.WorkerLog;
import dev.millrace.worker.settings.WorkerSettings;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** The executors that the settings ask for, and those of jars that somebody put there. */
final class InstalledExecutors implements AutoCloseable {

  private final List<Executor> executors;
  private final URLClassLoader loader;

  private InstalledExecutors(List<Executor> executors, URLClassLoader loader) {
    this.executors = executors;
    this.loader = loader;
  }

  static InstalledExecutors executors(WorkerSettings settings, Web web, WorkerLog log)
      throws IOException {
    List<Executor> executors = new ArrayList<>();
    settings.comfyUi().map(it -> new ComfyUiExecutor(web, it, log)).ifPresent(executors::add);
    settings.comfyCloud().map(it -> new CloudExecutor(web, it, log)).ifPresent(executors::add);
    settings.command().map(CommandExecutor::new).ifPresent(executors::add);
    List<URL> jars = new ArrayList<>();
    if (settings.executorsDir().isPresent()) {
      try (Stream<Path> files = Files.list(settings.executorsDir().get())) {
        for (Path jar : files.filter(file -> file.toString().endsWith(".jar")).sorted().toList()) {
          jars.add(jar.toUri().toURL());
        }
      }
    }
    URLClassLoader loader =
        new URLClassLoader(jars.toArray(URL[]::new), InstalledExecutors.class.getClassLoader());
    try {
      ServiceLoader.load(Executor.class, loader).forEach(executors::add);
    } catch (ServiceConfigurationError e) {
      loader.close();
      throw new IllegalArgumentException("an executor can't be loaded: " + e.getMessage(), e);
    }
    log.info(
        "worker.executors",
        "names",
        String.join(",", executors.stream().map(Executor::name).toList()));
    return new InstalledExecutors(List.copyOf(executors), loader);
  }

  List<Executor> executors() {
    return executors;
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }
}
