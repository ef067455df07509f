package dev.millrace.worker.aws;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * What Linux tells of the machine it runs on. It is there before any network is, so it can say that
 * a metadata service is worth waiting for. That it says nothing means nothing.
 */
public final class MachineDescription {

  /** What each file begins with on EC2. Some are for root alone, and some not on every kind. */
  private static final Map<String, String> SIGNS =
      Map.of(
          "devices/virtual/dmi/id/board_asset_tag", "i-",
          "devices/virtual/dmi/id/sys_vendor", "amazon ec2",
          "devices/virtual/dmi/id/product_uuid", "ec2",
          "hypervisor/uuid", "ec2");

  private final Path folder;

  /**
   * A description.
   *
   * @param folder what {@code /sys} is on Linux
   */
  public MachineDescription(Path folder) {
    this.folder = folder;
  }

  /** Of this machine. */
  public static MachineDescription here() {
    return new MachineDescription(Path.of("/sys"));
  }

  public boolean isEc2() {
    return SIGNS.entrySet().stream()
        .anyMatch(sign -> read(sign.getKey()).startsWith(sign.getValue()));
  }

  private String read(String name) {
    try {
      return Files.readString(folder.resolve(name)).strip().toLowerCase(Locale.ROOT);
    } catch (IOException _) {
      return "";
    }
  }
}
