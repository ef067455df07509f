package dev.millrace.mutants.child;

import org.jspecify.annotations.Nullable;

/** Called by the patched driver for each text that it is about to parse or to find in a cache. */
public final class PatchedSql {

  private static volatile @Nullable Recorder recorder;
  private static volatile @Nullable Trial trial;

  private PatchedSql() {}

  static void recordWith(Recorder one) {
    recorder = one;
  }

  static void plant(@Nullable Trial one) {
    trial = one;
  }

  /** A statement may travel together with others, or within one that counts its rows. */
  public static String of(String sql) {
    Recorder listening = recorder;
    if (listening != null) {
      listening.saw(sql);
    }
    Trial planted = trial;
    return planted == null ? sql : sql.replace(planted.original(), planted.mutated());
  }
}
