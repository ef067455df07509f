package dev.millrace.server.console;

import dev.millrace.postgres.records.FileView;
import dev.millrace.postgres.records.JobView;
import java.util.Objects;

/**
 * A file on a page. It is served by the console itself, to whoever may see it.
 *
 * @param address of the whole file
 * @param thumb of a small picture, or of the file itself where there is none
 */
record Shown(FileView file, String address, String thumb) {

  static Shown of(FileView file, String base) {
    String address = base + "/console/files/" + file.id();
    return new Shown(file, address, file.thumbnailKey() == null ? address : address + "/thumb");
  }

  /** What a job made, for a reviewer: its owner may not see it yet. */
  static Shown of(FileView file, JobView job, String base) {
    String address = base + "/console/review/" + job.id() + "/items/" + file.id();
    return new Shown(file, address, address);
  }

  boolean picture() {
    return file.mediaType().startsWith("image/") && !file.mediaType().contains("svg");
  }

  boolean video() {
    return file.mediaType().startsWith("video/");
  }

  boolean audio() {
    return file.mediaType().startsWith("audio/");
  }

  String extension() {
    String name = Objects.requireNonNullElse(file.name(), "");
    int dot = name.lastIndexOf('.');
    return dot < 0 ? file.mediaType() : name.substring(dot + 1);
  }

  String size() {
    String pixels = file.width() == null ? "" : file.width() + " × " + file.height() + " · ";
    return pixels + Words.bytes(file.size());
  }
}
