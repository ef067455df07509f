package dev.millrace.web.console.frame;

import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.jobs.JobView;
import java.util.Objects;

/**
 * A file on a page. It is served by the console itself, to whoever may see it.
 *
 * @param address of the whole file
 * @param thumb of a small picture, or of the file itself where there is none
 */
public record ShownOutput(FileView file, String address, String thumb) {

  public static ShownOutput of(FileView file, String base) {
    String address = base + "/console/files/" + file.id();
    return new ShownOutput(
        file, address, file.keys().thumbnailKey() == null ? address : address + "/thumb");
  }

  /** What a job made, for a reviewer: its owner may not see it yet. */
  public static ShownOutput of(FileView file, JobView job, String base) {
    String address = base + "/console/review/" + job.id() + "/items/" + file.id();
    return new ShownOutput(file, address, address);
  }

  public boolean picture() {
    return file.content().mediaType().startsWith("image/")
        && !file.content().mediaType().contains("svg");
  }

  public boolean video() {
    return file.content().mediaType().startsWith("video/");
  }

  public boolean audio() {
    return file.content().mediaType().startsWith("audio/");
  }

  public String extension() {
    String name = Objects.requireNonNullElse(file.name(), "");
    int dot = name.lastIndexOf('.');
    return dot < 0 ? file.content().mediaType() : name.substring(dot + 1);
  }

  public String size() {
    String pixels =
        file.content().width() == null
            ? ""
            : file.content().width() + " × " + file.content().height() + " · ";
    return pixels + Words.bytes(file.content().size());
  }
}
