package dev.millrace.engine.sim.bugs;

import dev.millrace.engine.port.Transaction;
import dev.millrace.engine.sim.Bug;
import dev.millrace.engine.sim.Delegate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.UnaryOperator;

/** Caps that are not kept, or that keep what they should not. */
final class CapBugs {

  static final List<Planted> ALL =
      List.of(
          new Planted(
              "forget what runs",
              "caps are compared with nothing but what is leased now",
              () ->
                  caps(
                      c -> new Transaction.Caps(c.perTenant(), c.perEffect(), Map.of(), Map.of()))),
          new Planted(
              "ignore the cap of tenants",
              "a tenant may run as many jobs as there are workers",
              () ->
                  caps(c ->
                      new Transaction.Caps(
                          0, c.perEffect(), c.runningOfTenant(), c.runningOfEffect()))),
          new Planted(
              "ignore the caps of effects",
              "an effect may run as often as there are workers",
              () ->
                  caps(c ->
                      new Transaction.Caps(
                          c.perTenant(), Map.of(), c.runningOfTenant(), c.runningOfEffect()))),
          new Planted(
              "one more than the cap",
              "the bound of an effect is off by one",
              () ->
                  caps(c ->
                      new Transaction.Caps(
                          c.perTenant(),
                          plusOne(c.perEffect()),
                          c.runningOfTenant(),
                          c.runningOfEffect()))),
          new Planted(
              "count before the turn", "a node counts what ran when it counted last", Stale::new),
          new Planted("give no room back", "what has run once is counted for ever", Hoarding::new),
          new Planted(
              "let the full stand in the way",
              "what may not start is claimed again and again, before what may",
              () ->
                  Plant.transaction(tx ->
                      new Delegate(tx) {
                        @Override
                        public List<Claim> claim(SortedMap<Integer, Integer> limits, Full full) {
                          return super.claim(limits, Full.NONE);
                        }
                      })));

  private CapBugs() {}

  private static Bug caps(UnaryOperator<Transaction.Caps> meddling) {
    return Plant.transaction(tx ->
        new Delegate(tx) {
          @Override
          public Caps caps() {
            return meddling.apply(super.caps());
          }
        });
  }

  private static Map<Integer, Integer> plusOne(Map<Integer, Integer> counts) {
    Map<Integer, Integer> more = new HashMap<>(counts);
    more.replaceAll((_, count) -> count + 1);
    return more;
  }

  private static final class Stale implements Bug {
    private Transaction.Caps last = Transaction.Caps.NONE;

    @Override
    public Transaction around(Transaction transaction) {
      return new Delegate(transaction) {
        @Override
        public Caps caps() {
          Caps now = super.caps();
          Caps told =
              new Caps(
                  now.perTenant(), now.perEffect(), last.runningOfTenant(), last.runningOfEffect());
          last = now;
          return told;
        }
      };
    }
  }

  private static final class Hoarding implements Bug {
    private final Map<Integer, Integer> ofTenant = new HashMap<>();
    private final Map<Integer, Integer> ofEffect = new HashMap<>();

    @Override
    public Transaction around(Transaction transaction) {
      return new Delegate(transaction) {
        @Override
        public Caps caps() {
          Caps now = super.caps();
          now.runningOfTenant().forEach((key, count) -> ofTenant.merge(key, count, Math::max));
          now.runningOfEffect().forEach((key, count) -> ofEffect.merge(key, count, Math::max));
          return new Caps(now.perTenant(), now.perEffect(), ofTenant, ofEffect);
        }
      };
    }
  }
}
