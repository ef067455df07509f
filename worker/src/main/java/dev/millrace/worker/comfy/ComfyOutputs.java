package dev.millrace.worker.comfy;

import dev.millrace.spi.executor.JobFailure;
import dev.millrace.spi.executor.Produced;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Finds in the outputs of a prompt what belongs to the job. */
public final class ComfyOutputs {

  private static final int MOST = 100;

  /** A file that ComfyUI has. */
  public record FileRef(String filename, String subfolder, String type) {}

  /** What there is to collect. */
  public record Selection(List<FileRef> files, List<Produced> texts) {
    public boolean isEmpty() {
      return files.isEmpty() && texts.isEmpty();
    }
  }

  private ComfyOutputs() {}

  /**
   * Selects. Every node type has its own key (images, gifs, videos, files, audio, ...), so whatever
   * looks like a file is one. Previews are taken only if the wanted node has nothing else.
   *
   * @param node the wanted node; empty for all that save something
   */
  public static Selection select(JsonNode outputs, Optional<String> node) throws JobFailure {
    List<FileRef> saved = new ArrayList<>();
    List<FileRef> previews = new ArrayList<>();
    List<Produced> texts = new ArrayList<>();
    outputs
        .properties()
        .forEach(output -> {
          if (node.isEmpty() || node.get().equals(output.getKey())) {
            collect(output.getValue(), saved, previews, texts);
          }
        });
    List<FileRef> files = saved.isEmpty() && node.isPresent() ? previews : saved;
    if (files.size() + texts.size() > MOST) {
      throw JobFailure.permanent("the workflow made more than " + MOST + " outputs");
    }
    return new Selection(files, node.isPresent() || files.isEmpty() ? texts : List.of());
  }

  private static void collect(
      JsonNode output, List<FileRef> saved, List<FileRef> previews, List<Produced> texts) {
    output
        .properties()
        .forEach(kind -> {
          for (JsonNode item : kind.getValue()) {
            String filename = item.path("filename").asString("");
            if (!filename.isEmpty()) {
              FileRef ref =
                  new FileRef(
                      filename,
                      item.path("subfolder").asString(""),
                      item.path("type").asString("output"));
              (ref.type().equals("output") ? saved : previews).add(ref);
            } else if (kind.getKey().equals("text") && item.isString()) {
              text(item.asString("")).ifPresent(texts::add);
            }
          }
        });
  }

  private static Optional<Produced> text(String text) {
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(new Produced.Text(text, "text/plain"));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
