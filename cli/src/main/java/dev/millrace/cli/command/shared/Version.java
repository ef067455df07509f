package dev.millrace.cli.command.shared;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Which version this is; the build writes it into a resource. */
public final class Version implements IVersionProvider {

  private static final String RESOURCE = "/dev/millrace/cli/version.properties";

  @Override
  public String[] getVersion() throws IOException {
    return new String[] {"millrace " + current()};
  }

  public static String current() throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Version.class.getResourceAsStream(RESOURCE)) {
      if (in != null) {
        properties.load(in);
      }
    }
    return properties.getProperty("version", "unknown");
  }
}
