package dev.millrace.engine.sim;

import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.command.SubmitMany;
import dev.millrace.engine.money.Wallet;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Orders several jobs at once, all or nothing or as many as possible. */
final class BatchClient implements Actor {

  private final World world;
  private final Chance chance;
  private final List<SubmitMany> unsure = new ArrayList<>();

  BatchClient(World world) {
    this.world = world;
    this.chance = world.chance();
  }

  @Override
  public void act() {
    if (!unsure.isEmpty() && chance.percent(50)) {
      send(again(chance.pick(unsure)));
      return;
    }
    Wallet.Owner owner = chance.pick(Catalogue.OWNERS);
    List<SubmitJob> jobs = new ArrayList<>();
    for (int i = chance.between(2, 4); i > 0; i--) {
      SubmitJob order =
          world.orders().draw(owner, chance.below(Catalogue.EFFECTS.size()), key("k"), null);
      jobs.add(withoutWindow(order));
    }
    boolean atomic = chance.percent(60);
    SubmitMany many =
        new SubmitMany(chance.uuid(), owner, key("b"), "f" + jobs.size() + atomic, atomic, jobs);
    unsure.add(many);
    send(many);
  }

  private String key(String prefix) {
    return prefix + chance.below(world.climate().keys() * 2);
  }

  private static SubmitJob withoutWindow(SubmitJob order) {
    return new SubmitJob(
        order.id(),
        order.owner(),
        order.terms(),
        new SubmitJob.Identity(order.identity().key(), order.identity().fingerprint(), null),
        new SubmitJob.Request(order.input(), order.priority(), order.runAt(), order.links()),
        order.limits(),
        order.denial());
  }

  private SubmitMany again(SubmitMany many) {
    UUID id = chance.uuid();
    return new SubmitMany(
        id,
        many.owner(),
        many.key(),
        many.fingerprint(),
        many.atomic(),
        many.jobs().stream().map(job -> OrderBook.again(job, chance.uuid())).toList());
  }

  private void send(SubmitMany many) {
    world.log("batcher sends " + Words.of(many));
    world
        .batches()
        .send(
            new Letter<>(
                "batcher",
                many,
                answer -> {
                  if (answer instanceof Answer.Told<SubmitMany.Result>) {
                    unsure.removeIf(one -> one.key() != null && one.key().equals(many.key()));
                  }
                }));
  }

  @Override
  public void settle() {
    List.copyOf(unsure).forEach(many -> send(again(many)));
  }
}
