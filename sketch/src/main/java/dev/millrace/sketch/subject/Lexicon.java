package dev.millrace.sketch.subject;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What words mean to a picture. Each row is a meaning, then the words that carry it. */
final class Lexicon {

  private static final Map<String, String> FIGURES =
      rows(
          """
          fox: fox vixen dog puppy corgi
          wolf: wolf coyote husky jackal
          cat: cat kitten lion tiger panther leopard lynx kitty
          deer: deer stag elk moose reindeer antelope doe fawn
          hare: hare rabbit bunny
          bear: bear grizzly panda cub
          horse: horse pony unicorn stallion mare donkey zebra
          elephant: elephant mammoth
          owl: owl eagle hawk falcon
          bird: bird robin sparrow songbird finch wren crow raven parrot kingfisher hummingbird swallow
          heron: heron crane stork swan egret flamingo goose
          butterfly: butterfly moth dragonfly bee
          whale: whale dolphin orca narwhal shark
          fish: fish koi goldfish trout salmon carp
          turtle: turtle tortoise
          boat: boat sailboat ship yacht sail sailing regatta sailor
          house: house cottage cabin home hut farm barn village
          lighthouse: lighthouse beacon
          balloon: balloon airship zeppelin
          rocket: rocket spaceship spacecraft astronaut shuttle
          tree: tree oak maple willow cherry
          flower: flower rose tulip lotus lily peony poppy blossom orchid
          """);

  private static final Map<String, String> LANDS =
      rows(
          """
          MOUNTAINS: mountain alps peak summit alpine fjord cliff volcano glacier canyon everest fuji
          FOREST: forest wood jungle grove pine spruce woodland taiga rainforest
          MEADOW: meadow garden field prairie grass spring pasture lavender orchard
          SEA: sea ocean lake river wave water harbour harbor coast beach island bay shore lagoon tide
          DESERT: desert dune sand sahara mesa cactus savanna oasis safari
          CITY: city town skyline street tower urban skyscraper metropolis downtown tokyo paris london york berlin
          SNOW: snow winter ice arctic frost frozen polar blizzard snowy christmas tundra
          HILLS: hill valley countryside highland moor vineyard tuscany
          """);

  private static final Map<String, String> HOURS =
      rows(
          """
          DAWN: dawn sunrise morning daybreak
          DAY: day noon daylight sunny summer midday bright
          DUSK: dusk sunset evening twilight golden romantic nostalgic dream dreamy
          NIGHT: night midnight moonlight starry nocturnal moon star galaxy cosmos constellation aurora borealis northern milky space dark
          """);

  private static final Map<String, String> TOUCHES =
      rows(
          """
          SUN: sun sunny sunrise sunset sunlight
          MOON: moon moonlight lunar
          STARS: star starry galaxy cosmos constellation milky space night universe
          SNOWFALL: snow snowy blizzard snowfall christmas winter
          RAIN: rain rainy drizzle storm monsoon
          MIST: mist fog misty foggy haze cloud mysterious ghost
          BIRDS: bird swallow gull flock geese free freedom
          FLOWERS: flower garden meadow rose tulip lily poppy blossom spring orchid lavender bloom
          AURORA: aurora borealis northern magic magical
          AUTUMN: autumn fall october harvest maple
          SPRING: spring april blossom sakura cherry easter
          STORM: storm stormy thunder wild angry dramatic gloomy melancholy sad lonely
          CALM: calm serene quiet peaceful gentle soft still zen
          """);

  private static final Map<String, String> COLORS =
      rows(
          """
          red: red crimson scarlet ruby vermilion cherry
          orange: orange amber ginger copper rust coral
          gold: gold golden yellow ochre honey lemon
          green: green emerald olive moss lime jade
          teal: teal turquoise cyan aqua mint
          blue: blue azure navy cobalt indigo sapphire
          purple: purple violet lavender lilac magenta plum
          pink: pink rose salmon fuchsia blush
          white: white ivory pale silver snowy
          black: black ebony grey gray charcoal monochrome
          brown: brown chestnut bronze sepia chocolate
          """);

  private Lexicon() {}

  static String figure(String word) {
    return first(FIGURES, word);
  }

  static String land(String word) {
    return first(LANDS, word);
  }

  static String hour(String word) {
    return first(HOURS, word);
  }

  /** A word may add several touches: a storm brings rain too. */
  static List<String> touches(String word) {
    String touches = TOUCHES.get(word);
    return touches == null ? List.of() : List.of(touches.split(" ", -1));
  }

  static String color(String word) {
    return first(COLORS, word);
  }

  static boolean knows(String word) {
    return FIGURES.containsKey(word)
        || LANDS.containsKey(word)
        || HOURS.containsKey(word)
        || TOUCHES.containsKey(word)
        || COLORS.containsKey(word);
  }

  private static String first(Map<String, String> meanings, String word) {
    return meanings.getOrDefault(word, "").split(" ", 2)[0];
  }

  private static Map<String, String> rows(String table) {
    Map<String, String> meanings = new HashMap<>();
    for (String row : table.split("\n", -1)) {
      int colon = row.indexOf(':');
      if (colon > 0) {
        for (String word : row.substring(colon + 1).trim().split(" ", -1)) {
          meanings.merge(word, row.substring(0, colon), (one, other) -> one + " " + other);
        }
      }
    }
    return Map.copyOf(meanings);
  }
}
