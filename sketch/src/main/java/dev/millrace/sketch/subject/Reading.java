package dev.millrace.sketch.subject;

import dev.millrace.sketch.canvas.Dice;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a prompt asks for. Words that nobody taught it still count: they decide by their hash what
 * the known words leave open.
 *
 * @param cast the subjects, the main one first; may be empty
 * @param color a colour's name, or empty
 * @param hash of the whole prompt
 */
public record Reading(
    List<Figure> cast, Land land, Hour hour, String color, Set<Touch> touches, long hash) {

  private static final int MOST_SUBJECTS = 3;
  private static final int MOST_WORDS = 400;
  private static final Set<String> FILLERS =
      Set.of(
          "a", "an", "the", "of", "in", "on", "at", "and", "with", "to", "for", "by", "over",
          "under", "is", "it", "its", "my", "from", "into", "very", "some", "please", "draw",
          "paint", "make");

  private static final Pattern PLAIN = Pattern.compile("[a-z0-9]+");

  public Reading {
    cast = List.copyOf(cast);
    touches = Set.copyOf(touches);
  }

  public static Reading of(String prompt) {
    List<Figure> cast = new ArrayList<>();
    Set<Touch> touches = EnumSet.noneOf(Touch.class);
    Land land = null;
    Hour hour = Hour.ANY;
    String color = "";
    for (String word : words(prompt)) {
      String known = singular(word);
      String figure = Lexicon.figure(known);
      if (!figure.isEmpty()
          && cast.size() < MOST_SUBJECTS
          && !cast.contains(Figures.named(figure))) {
        cast.add(Figures.named(figure));
      }
      if (land == null && !Lexicon.land(known).isEmpty()) {
        land = Land.valueOf(Lexicon.land(known));
      }
      if (hour == Hour.ANY && !Lexicon.hour(known).isEmpty()) {
        hour = Hour.valueOf(Lexicon.hour(known));
      }
      Lexicon.touches(known).forEach(touch -> touches.add(Touch.valueOf(touch)));
      color = color.isEmpty() ? Lexicon.color(known) : color;
    }
    long hash = Dice.hash(String.join(" ", words(prompt)));
    return new Reading(
        cast,
        land == null ? likelyLand(cast, hour, touches, hash) : land,
        hour,
        color,
        touches,
        hash);
  }

  public boolean has(Touch touch) {
    return touches.contains(touch);
  }

  public boolean atNight() {
    return hour == Hour.NIGHT;
  }

  /** A short name for files: the words that matter, joined by hyphens. */
  public static String slug(String prompt) {
    StringBuilder slug = new StringBuilder();
    for (String word : words(prompt)) {
      if (!FILLERS.contains(word)
          && PLAIN.matcher(word).matches()
          && slug.length() + word.length() < 40) {
        slug.append(slug.isEmpty() ? "" : "-").append(word);
      }
    }
    return slug.isEmpty() ? "sketch" : slug.toString();
  }

  private static Land likelyLand(List<Figure> cast, Hour hour, Set<Touch> touches, long hash) {
    for (Figure figure : cast) {
      if (figure.habit() == Habit.WATER || figure.name().equals("lighthouse")) {
        return Land.SEA;
      }
      if (figure.name().equals("elephant")) {
        return Land.DESERT;
      }
      if (figure.name().equals("fox") || figure.name().equals("owl")) {
        return Land.FOREST;
      }
    }
    if (touches.contains(Touch.SNOWFALL)) {
      return Land.SNOW;
    }
    if (touches.contains(Touch.FLOWERS)) {
      return Land.MEADOW;
    }
    Land[] open = {Land.HILLS, Land.MOUNTAINS, Land.FOREST, Land.MEADOW, Land.SEA, Land.DESERT};
    // Without a subject a wide view carries the picture, so it gets all the choices.
    int choices = cast.isEmpty() && hour != Hour.NIGHT ? open.length : 4;
    return open[(int) Long.remainderUnsigned(hash, choices)];
  }

  /** The words of a prompt in lower case; letters of any script count. */
  private static List<String> words(String prompt) {
    List<String> words = new ArrayList<>();
    for (String word : prompt.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}]+", MOST_WORDS)) {
      if (!word.isEmpty()) {
        words.add(word);
      }
    }
    return words;
  }

  private static String singular(String word) {
    if (Lexicon.knows(word)) {
      return word;
    }
    for (String end : List.of("s", "es", "y", "ing")) {
      if (word.endsWith(end) && Lexicon.knows(word.substring(0, word.length() - end.length()))) {
        return word.substring(0, word.length() - end.length());
      }
    }
    return switch (word) {
      case "wolves" -> "wolf";
      case "butterflies" -> "butterfly";
      case "ponies" -> "pony";
      case "cities" -> "city";
      default -> word;
    };
  }
}
