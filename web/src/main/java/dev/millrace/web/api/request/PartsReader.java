package dev.millrace.web.api.request;

import dev.millrace.storage.PartPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads what is said of files that come in parts. */
public final class PartsReader {

  private static final Pattern TAG = Pattern.compile("\"?[!#-~]{1,200}\"?");
  private static final Pattern UPLOAD = Pattern.compile("[!-~]{1,1024}");
  private static final String TAGS_LAW =
      "must be a list of the ETags of all parts in order, 1 to " + PartPlan.MOST_PARTS;
  private static final String NUMBERS_LAW =
      "must be a list of 1 to %d part numbers".formatted(PartPlan.MOST_PARTS);

  private PartsReader() {}

  /** The tags of all parts; none if they are left out. */
  public static List<String> tags(Body body) {
    JsonNode value = body.raw("parts");
    if (value == null) {
      return List.of();
    }
    List<String> tags = new ArrayList<>();
    boolean good = isList(value);
    for (JsonNode each : value.values()) {
      good &= each.isString() && TAG.matcher(each.stringValue()).matches();
      tags.add(each.asString(""));
    }
    if (!good) {
      body.wrong("parts", TAGS_LAW);
    }
    return tags;
  }

  /** The parts that are meant; none if they are left out. */
  public static List<Integer> numbers(Body body) {
    JsonNode value = body.raw("numbers");
    if (value == null) {
      return List.of();
    }
    List<Integer> numbers = new ArrayList<>();
    boolean good = isList(value);
    for (JsonNode each : value.values()) {
      boolean number =
          each.isIntegralNumber()
              && each.canConvertToInt()
              && each.intValue() >= 1
              && each.intValue() <= PartPlan.MOST_PARTS;
      good &= number;
      if (number) {
        numbers.add(each.intValue());
      }
    }
    if (!good) {
      body.wrong("numbers", NUMBERS_LAW);
    }
    return numbers;
  }

  /** The store's name for an upload; null if it is left out. */
  public static @Nullable String uploadIdOrNull(Body body) {
    JsonNode value = body.raw("upload_id");
    if (value == null) {
      return null;
    }
    if (!value.isString() || !UPLOAD.matcher(value.stringValue()).matches()) {
      body.wrong("upload_id", "must be the upload_id that was given for this place");
      return null;
    }
    return value.stringValue();
  }

  private static boolean isList(JsonNode value) {
    return value.isArray() && !value.isEmpty() && value.size() <= PartPlan.MOST_PARTS;
  }
}
