package dev.millrace.engine.sim;

import dev.millrace.engine.command.Report;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Looks now and reports later, when what it saw may long be over. */
final class Reaper implements Actor {

  private final String name;
  private final World world;
  private final List<Report> suspects = new ArrayList<>();

  Reaper(String name, World world) {
    this.name = name;
    this.world = world;
  }

  void suspect(Report report) {
    suspects.add(report);
  }

  @Override
  public void act() {
    if (suspects.isEmpty() || world.chance().percent(30)) {
      look();
      return;
    }
    int count = world.chance().between(1, suspects.size());
    for (int i = 0; i < count; i++) {
      send(suspects.remove(world.chance().below(suspects.size())));
    }
  }

  private void look() {
    // What was seen before stays suspect: it may be reported when it is no longer true.
    if (suspects.size() > 20) {
      suspects.clear();
    }
    Instant now = world.stage().now();
    if (!world.calm() && world.chance().percent(30)) {
      // Whoever looks for it may have a clock that is fast; the recheck must not care.
      world.stage().setNow(now.plusSeconds(world.chance().below(60)));
    }
    suspects.addAll(world.stage().suspects());
    world.stage().setNow(now);
    world.log(name + " suspects " + suspects.size());
  }

  private void send(Report report) {
    world.reports().send(new Letter<>(name, report, _ -> {}));
  }

  @Override
  public void settle() {
    suspects.clear();
    look();
    suspects.forEach(this::send);
    suspects.clear();
  }
}
