package dev.millrace.sketch.subject;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Every figure there is, by name. */
final class Figures {

  private static final Map<String, Figure> ALL =
      List.of(
              FourLegged.fox(),
              FourLegged.wolf(),
              FourLegged.cat(),
              FourLegged.deer(),
              FourLegged.hare(),
              FourLegged.bear(),
              FourLegged.horse(),
              FourLegged.elephant(),
              WingedAndFinned.owl(),
              WingedAndFinned.bird(),
              WingedAndFinned.heron(),
              WingedAndFinned.butterfly(),
              WingedAndFinned.whale(),
              WingedAndFinned.fish(),
              WingedAndFinned.turtle(),
              Things.boat(),
              Things.house(),
              Things.lighthouse(),
              Things.balloon(),
              Things.rocket(),
              Things.tree(),
              Things.flower())
          .stream()
          .collect(Collectors.toUnmodifiableMap(Figure::name, Function.identity()));

  private Figures() {}

  static Figure named(String name) {
    Figure figure = ALL.get(name);
    if (figure == null) {
      throw new IllegalStateException("no figure is called " + name);
    }
    return figure;
  }
}
