package dev.millrace.sketch;

import dev.millrace.sketch.painter.Style;
import dev.millrace.spi.provider.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Draws many prompts in every style into a folder, to be looked at by people. */
final class ContactSheet {

  private static final List<String> PROMPTS =
      List.of(
          "a red fox",
          "an owl in the forest at night",
          "a whale in the sea",
          "a deer in the mountains at dawn",
          "a black cat in the city",
          "a lighthouse at sunset",
          "rabbits in a spring garden",
          "something nobody has seen before");

  private ContactSheet() {}

  /** The only argument is the folder. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    for (String prompt : PROMPTS) {
      for (Style style : Style.values()) {
        Output output =
            Desk.asking(prompt)
                .with("style", style.label())
                .with("width", 1024)
                .with("height", 1024)
                .outputs()
                .getFirst();
        Files.write(folder.resolve(output.name()), Desk.bytes(output));
      }
    }
  }
}
