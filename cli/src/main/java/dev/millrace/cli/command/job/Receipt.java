package dev.millrace.cli.command.job;

import dev.millrace.cli.api.ApiJob;
import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.text.Clip;
import dev.millrace.cli.text.Say;
import dev.millrace.cli.text.TextStyle;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What a job cost and made, in a few lines. */
final class Receipt {

  private Receipt() {}

  static List<String> lines(ApiJob job, JsonNode receipt, List<Path> saved, TextStyle style) {
    List<String> lines = new ArrayList<>();
    lines.add(
        style.state(job.state(), job.state()) + "  " + Clip.plain(job.effect()) + "  " + job.id());
    lines.add(
        "  credits  "
            + String.join(
                style.separator(),
                "held " + ApiJson.number(receipt, "held"),
                "captured " + ApiJson.number(receipt, "captured"),
                "refunded " + ApiJson.number(receipt, "refunded"))
            + givenBack(receipt, style)
            + balanceAfter(receipt, style));
    lines.add("  took     " + took(receipt, style));
    List<JsonNode> outputs = job.outputs();
    for (int i = 0; i < outputs.size(); i++) {
      JsonNode file = outputs.get(i);
      String name =
          saved.isEmpty()
              ? ApiJson.text(file, "name") + " (" + ApiJson.text(file, "id") + ")"
              : saved.get(i).toString();
      lines.add("  output   " + String.join(style.separator(), describe(name, file)));
    }
    return lines;
  }

  /** What a rejection cost before it was overturned. */
  private static String givenBack(JsonNode receipt, TextStyle style) {
    long credits = ApiJson.number(receipt, "given_back");
    return credits == 0 ? "" : style.separator() + "given back " + credits;
  }

  private static String balanceAfter(JsonNode receipt, TextStyle style) {
    JsonNode movements = receipt.path("lines");
    return movements.isEmpty()
        ? ""
        : style.separator()
            + "balance "
            + ApiJson.number(movements.get(movements.size() - 1), "balance_after");
  }

  private static String took(JsonNode receipt, TextStyle style) {
    String seconds =
        ApiJson.decimal(receipt, "seconds").setScale(1, RoundingMode.HALF_UP).toPlainString()
            + " s";
    return seconds + style.separator() + Say.count(receipt.path("attempts").size(), "attempt");
  }

  private static List<String> describe(String name, JsonNode file) {
    List<String> facts = new ArrayList<>();
    facts.add(Clip.plain(name));
    if (ApiJson.number(file, "width") > 0) {
      facts.add(ApiJson.number(file, "width") + "x" + ApiJson.number(file, "height"));
    }
    facts.add(Clip.plain(ApiJson.text(file, "media_type")));
    facts.add(Say.size(ApiJson.number(file, "size")));
    return facts;
  }
}
