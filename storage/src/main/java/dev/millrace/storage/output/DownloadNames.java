package dev.millrace.storage.output;

import dev.millrace.storage.MediaType;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.UUID;
import java.util.regex.Pattern;

/** Turns a name that somebody suggested into one that is safe to save a file under. */
public final class DownloadNames {

  /** Leaves room for what a browser adds, on file systems that allow 255 bytes. */
  private static final int LONGEST_BYTES = 180;

  /** Paths, what Windows forbids, controls, invisible and direction-changing characters. */
  private static final Pattern UNSAFE =
      Pattern.compile("[/\\\\<>:\"|?*%;\\p{Cntrl}\\p{Cf}\\p{Cs}\\p{Co}\\p{Cn}\\p{Zl}\\p{Zp}]+");

  private static final Pattern SPACES = Pattern.compile("[\\s\\p{Z}]+");
  private static final Pattern EDGES = Pattern.compile("^[. _-]+|[. ]+$");

  /** Windows opens a device under these names, whatever the extension. */
  private static final Pattern DEVICES =
      Pattern.compile("(?i)(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\\..*)?");

  private DownloadNames() {}

  /** The result always ends in the extension of its type, so that it opens as what it is. */
  public static String clean(String suggested, MediaType type) {
    String name = Normalizer.normalize(suggested, Normalizer.Form.NFC);
    name = UNSAFE.matcher(name).replaceAll("_");
    name = SPACES.matcher(name).replaceAll(" ");
    name = EDGES.matcher(withoutExtension(name, type)).replaceAll("");
    name = EDGES.matcher(cut(name)).replaceAll("");
    if (name.isEmpty() || DEVICES.matcher(name).matches()) {
      name = "output";
    }
    return name + "." + type.extension();
  }

  /**
   * What a file is saved as by who follows a signed address. The address travels, into logs and
   * referrers, so it tells nothing of what its owner asked for; its owner knows the file's own
   * name.
   */
  public static String plain(UUID file, String mediaType) {
    String id = file.toString();
    String extension = MediaType.of(mediaType).map(MediaType::extension).orElse("bin");
    return "millrace-" + id.substring(id.lastIndexOf('-') + 1) + "." + extension;
  }

  private static String withoutExtension(String name, MediaType type) {
    boolean own = MediaType.ofFileName(name).filter(type::equals).isPresent();
    return own ? name.substring(0, name.lastIndexOf('.')) : name;
  }

  /** Cuts between characters, never inside one. */
  private static String cut(String name) {
    StringBuilder kept = new StringBuilder();
    int bytes = 0;
    for (int point : name.codePoints().toArray()) {
      String character = Character.toString(point);
      bytes += character.getBytes(StandardCharsets.UTF_8).length;
      if (bytes > LONGEST_BYTES) {
        break;
      }
      kept.append(character);
    }
    return kept.toString();
  }
}
