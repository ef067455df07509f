package dev.millrace.engine.sim;

import dev.millrace.engine.command.Callbacks;
import dev.millrace.engine.command.LeaseBatch;
import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.ReportBatch;
import dev.millrace.engine.command.SubmitBatch;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.command.SubmitMany;
import dev.millrace.engine.command.TopUp;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.lifecycle.Edge;
import dev.millrace.engine.lifecycle.Lifecycle;
import dev.millrace.engine.memory.BrokenLaw;
import dev.millrace.engine.money.Wallet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Everybody and everything, moved one step at a time by one seed. */
final class World {

  private static final int MOST_ROUNDS = 60;

  private final Chance chance;
  private final EventLog log;
  private final Faults faults;
  private final Stage stage;
  private final Climate climate;
  private final Oracle oracle;
  private final List<Node> nodes;
  private final Tray<SubmitJob, SubmitJob.Result> submits;
  private final Tray<LeaseJobs, List<Leased>> leases;
  private final Tray<Report, Report.Result> reports;
  private final Tray<TopUp, TopUp.Result> topUps;
  private final Tray<SubmitMany, SubmitMany.Result> batches;
  private final Tray<Callbacks.Command, Callbacks.Reception> callbacks;
  private final List<Tray<?, ?>> trays;
  private final List<Client> clients = new ArrayList<>();
  private final List<Worker> workers = new ArrayList<>();
  private final List<Reaper> reapers;
  private final List<Collector> collectors;
  private final OrderBook orders;
  private final Payer payer;
  private final BatchClient batcher;
  private final Provider provider;
  private final Staff staff;
  private final Stranger stranger;
  private final SecondLives secondLives;
  private boolean calm;

  World(Chance chance, EventLog log, Faults faults, Stage stage, Bug bug) {
    this.chance = chance;
    this.log = log;
    this.faults = faults;
    this.stage = stage;
    this.climate = Climate.draw(chance);
    this.oracle = new Oracle(stage, CapLaws.of(climate, stage), Catalogue.TIMINGS);
    this.nodes = List.of(new Node("north", this, bug), new Node("south", this, bug));
    this.submits = new Tray<>("submit", new SubmitBatch(), 8, oracle::submit);
    this.leases =
        new Tray<>("lease", new LeaseBatch(Catalogue.TIMINGS, chance::uuid), 8, oracle::lease);
    this.reports = new Tray<>("report", new ReportBatch(Catalogue.TIMINGS), 8, oracle::report);
    this.topUps = new Tray<>("pay", new TopUp.Booking(), 1, oracle::topUp);
    this.batches = new Tray<>("batch", new SubmitMany.Booking(), 1, oracle::submitMany);
    this.callbacks = new Tray<>("callback", new Callbacks(), 8, oracle::callback);
    this.trays = List.of(submits, leases, reports, reports, topUps, batches, callbacks);
    this.orders = new OrderBook(chance, climate);
    for (Wallet.Owner owner : Catalogue.OWNERS) {
      clients.add(new Client("client" + clients.size(), owner, this));
    }
    clients.add(new Client("client" + clients.size(), Catalogue.OWNERS.getFirst(), this));
    workers.add(new Worker("w0", List.of(1, 2, 3), this));
    workers.add(new Worker("w1", List.of(1), this));
    workers.add(new Worker("w2", List.of(2, 3), this));
    this.reapers = List.of(new Reaper("reaper0", this), new Reaper("reaper1", this));
    this.collectors = List.of(new Collector("collector0", this), new Collector("collector1", this));
    this.payer = new Payer(this);
    this.batcher = new BatchClient(this);
    this.provider = new Provider(this);
    this.staff = new Staff(this);
    this.stranger = new Stranger(this, new Chance(climate.hashCode()));
    this.secondLives = new SecondLives(this, new Chance(~climate.hashCode()));
  }

  Chance chance() {
    return chance;
  }

  Climate climate() {
    return climate;
  }

  Stage stage() {
    return stage;
  }

  Oracle oracle() {
    return oracle;
  }

  Tray<SubmitJob, SubmitJob.Result> submits() {
    return submits;
  }

  Tray<LeaseJobs, List<Leased>> leases() {
    return leases;
  }

  Tray<Report, Report.Result> reports() {
    return reports;
  }

  Tray<TopUp, TopUp.Result> topUps() {
    return topUps;
  }

  Tray<SubmitMany, SubmitMany.Result> batches() {
    return batches;
  }

  Tray<Callbacks.Command, Callbacks.Reception> callbacks() {
    return callbacks;
  }

  OrderBook orders() {
    return orders;
  }

  Provider provider() {
    return provider;
  }

  void log(String line) {
    log.add(line);
  }

  void promise(boolean kept, String promise, Object evidence) {
    BrokenLaw.require(kept, promise, evidence);
  }

  /** True once the weather has cleared up. */
  boolean calm() {
    return calm;
  }

  boolean losesReply() {
    return !calm && climate.lostReplies() > 0 && chance.percent(climate.lostReplies());
  }

  /** Changes whenever somebody else got a turn in between. */
  int turnsOfOthers() {
    return faults.turns();
  }

  /** Whether somebody who is no node holds a row. */
  boolean strangerHolds() {
    return stranger.holds();
  }

  /** A worker is known to be gone; a reaper hears of its leases. */
  void abandoned(Report lost) {
    chance.pick(reapers).suspect(lost);
  }

  /** Plays the whole schedule. */
  void play() {
    log(climate.toString());
    faults.interlude(this::interlude);
    faults.weather(climate.faults(), climate.interludes());
    for (int i = 0; i < 4; i++) {
      payer.act();
    }
    for (int i = 0; i < climate.steps(); i++) {
      step();
    }
    settle();
  }

  private void step() {
    int what = chance.below(100);
    if (what < 37) {
      deliver(climate.batch());
    } else if (what < 50) {
      chance.pick(clients).act();
    } else if (what < 53) {
      payer.act();
    } else if (what < 55) {
      batcher.act();
    } else if (what < 76) {
      chance.pick(workers).act();
    } else if (what < 79) {
      provider.act();
    } else if (what < 82) {
      chance.pick(collectors).act();
    } else if (what < 87) {
      staff.act();
    } else if (what < 92) {
      chance.pick(reapers).act();
    } else {
      passTime();
    }
  }

  /** What others do between two calls of a transaction that is open. */
  private void interlude() {
    if (chance.percent(25)) {
      passTime();
    } else {
      deliver(climate.batch());
    }
  }

  private void deliver(int most) {
    int first = chance.below(trays.size());
    for (int i = 0; i < trays.size(); i++) {
      Tray<?, ?> tray = trays.get((first + i) % trays.size());
      if (tray.size() > 0) {
        deliver(tray, most);
        return;
      }
    }
  }

  private <C, R> void deliver(Tray<C, R> tray, int most) {
    List<Letter<C, R>> letters = tray.take(chance, most);
    if (!calm) {
      for (Letter<C, R> letter : List.copyOf(letters)) {
        if (climate.duplicates() > 0 && chance.percent(climate.duplicates())) {
          duplicate(tray, letters, letter);
        }
      }
    }
    chance.pick(nodes).handle(tray, letters);
  }

  /** The network delivers twice: at once, or again later. A submit's second one has its own id. */
  private <C, R> void duplicate(Tray<C, R> tray, List<Letter<C, R>> letters, Letter<C, R> letter) {
    if (letter.command() instanceof SubmitJob
        || letter.command() instanceof SubmitMany
        || letter.command() instanceof LeaseJobs) {
      return;
    }
    if (tray == topUps || chance.percent(50)) {
      tray.send(letter);
    } else {
      letters.add(letter);
    }
  }

  /** Mostly a little, sometimes back, rarely beyond every deadline. */
  private void passTime() {
    stranger.act();
    secondLives.act();
    int jump = climate.haste();
    int what = chance.below(40);
    if (what == 0) {
      jump = 4_000_000;
    } else if (what < 6) {
      jump = 70_000;
    }
    int millis = chance.percent(12) ? -chance.below(5_000) : chance.below(jump);
    pass(Duration.ofMillis(millis));
  }

  private void pass(Duration duration) {
    stage.setNow(stage.now().plus(duration));
    log("clock " + stage.now());
  }

  /** The weather clears up, everybody finishes, and everything must come to an end. */
  private void settle() {
    log("calm");
    calm = true;
    faults.weather(0, 0);
    stranger.leave();
    deliverAll();
    clients.forEach(Client::settle);
    payer.settle();
    batcher.settle();
    deliverAll();
    for (int round = 0; live() || !stage.waitingCallbacks().isEmpty(); round++) {
      BrokenLaw.require(round < MOST_ROUNDS, "every job comes to an end", oracle.jobs().values());
      reapers.getFirst().settle();
      deliverAll();
      stage.checkSwept();
      workers.forEach(Worker::settle);
      staff.settle();
      collectors.forEach(Collector::settle);
      deliverAll();
      pass(Duration.ofSeconds(chance.between(5, 60)));
    }
    stage.checkEverything();
    oracle.checkEverything(stage.look());
  }

  /** The ways of the table that jobs took. */
  Set<Edge> steps() {
    Set<Edge> steps = new HashSet<>();
    for (JobEvent event : stage.look().events) {
      if (event.trigger() != null) {
        Lifecycle.edge(event.from(), event.trigger(), event.state()).ifPresent(steps::add);
      }
    }
    return steps;
  }

  /** How the second and later lives of jobs ended, and which of those were deleted. */
  Set<String> secondEnds() {
    Set<String> ends = new HashSet<>();
    for (Job job : oracle.jobs().values()) {
      if (job.hold().fundingSeq() > 1) {
        boolean charged = job.hold().captured() > 0;
        boolean reviewed = job.terms().rules().review();
        ends.add(job.state().label() + (reviewed ? " reviewed" : "") + (charged ? " charged" : ""));
        if (job.afterEnd().deleted()) {
          ends.add("deleted");
        }
      }
    }
    return ends;
  }

  private void deliverAll() {
    for (Tray<?, ?> tray : trays) {
      while (tray.size() > 0) {
        deliver(tray, climate.batch());
      }
    }
  }

  private boolean live() {
    for (Job job : oracle.jobs().values()) {
      if (job.state().live()) {
        return true;
      }
    }
    return false;
  }
}
