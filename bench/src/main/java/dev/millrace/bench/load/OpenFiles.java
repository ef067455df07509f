package dev.millrace.bench.load;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.millrace.bench.measure.MeasureWords;
import dev.millrace.bench.measure.Sheet;
import java.lang.management.ManagementFactory;

/** How many connections a process may have, which the others of a run inherit. */
public final class OpenFiles {

  /** For the database, the jars and the logs. */
  private static final int OTHERS = 500;

  private OpenFiles() {}

  /** As many as wanted, or as many as the limit lets us have; then the sheet says so. */
  public static int possible(int wanted, String thing, Sheet sheet) {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
      long files = unix.getMaxFileDescriptorCount() - OTHERS;
      if (files < wanted) {
        sheet.note(
            "The limit on open files allows %s instead of %d; raise it with ulimit -n."
                .formatted(MeasureWords.count((int) files, thing), wanted));
        return (int) files;
      }
    }
    return wanted;
  }
}
