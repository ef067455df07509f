package dev.millrace.engine.sim;

import dev.millrace.engine.command.TopUp;
import java.util.ArrayList;
import java.util.List;

/** Pays for everybody, and pays again with the same key when it is not sure. */
final class Payer implements Actor {

  private final World world;
  private final Chance chance;
  private final List<TopUp> unsure = new ArrayList<>();
  private final List<TopUp> sent = new ArrayList<>();

  Payer(World world) {
    this.world = world;
    this.chance = world.chance();
  }

  @Override
  public void act() {
    if (!sent.isEmpty() && chance.percent(40)) {
      TopUp again = chance.pick(unsure.isEmpty() ? sent : unsure);
      boolean other = chance.percent(15);
      send(
          other ? new TopUp(again.owner(), again.amount() + 1, again.key(), again.note()) : again,
          other);
      return;
    }
    TopUp topUp =
        new TopUp(
            chance.pick(Catalogue.OWNERS),
            chance.between(1, world.climate().funds()),
            "p" + sent.size(),
            null);
    sent.add(topUp);
    unsure.add(topUp);
    send(topUp, false);
  }

  private void send(TopUp topUp, boolean mistaken) {
    world.log("payer sends " + Words.of(topUp));
    world
        .topUps()
        .send(
            new Letter<>(
                "payer",
                topUp,
                answer -> {
                  if (!mistaken && answer instanceof Answer.Told<TopUp.Result>) {
                    unsure.remove(topUp);
                  }
                }));
  }

  @Override
  public void settle() {
    List.copyOf(unsure).forEach(topUp -> send(topUp, false));
  }
}
