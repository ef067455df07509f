package dev.millrace.engine.sim;

import dev.millrace.engine.command.Callbacks;
import dev.millrace.engine.port.Callback;
import java.util.ArrayList;
import java.util.List;

/** An outside provider: takes work, and calls back early, late, twice, or about nothing. */
final class Provider implements Actor {

  private final World world;
  private final Chance chance;
  private final List<String> taken = new ArrayList<>();
  private final List<Callbacks.Receive> sent = new ArrayList<>();
  private int named;

  Provider(World world) {
    this.world = world;
    this.chance = world.chance();
  }

  /** Takes an attempt, under a reference of its own. */
  String take() {
    String reference = "r" + ++named;
    taken.add(reference);
    world.log("provider takes " + reference);
    return reference;
  }

  @Override
  public void act() {
    if (!sent.isEmpty() && chance.percent(30)) {
      send(chance.pick(sent));
    } else if (chance.percent(10)) {
      call("nobody's" + ++named);
    } else if (!taken.isEmpty()) {
      call(chance.pick(taken));
    }
  }

  private void call(String reference) {
    Callbacks.Receive call =
        new Callbacks.Receive(new Callback.Id("acme", "ev" + ++named), reference);
    sent.add(call);
    send(call);
  }

  private void send(Callbacks.Receive call) {
    world.log("provider sends " + Words.of(call));
    world.callbacks().send(new Letter<>("provider", call, _ -> {}));
  }
}
