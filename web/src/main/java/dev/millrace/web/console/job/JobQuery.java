package dev.millrace.web.console.job;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.jobs.FirstId;
import dev.millrace.postgres.jobs.Jobs;
import dev.millrace.postgres.tenants.Visibility;
import dev.millrace.service.tasks.TaskFilter;
import dev.millrace.web.console.frame.Visit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs to list, as a person writes it: {@code state:failed,expired effect:poster age:>1h}.
 *
 * @param states empty for any
 * @param ending how the job's id ends, or all of it
 * @param tenant another tenant than the visitor's has no jobs here
 * @param olderThan null for any age; so is youngerThan
 * @param complaints about words that mean nothing
 */
public record JobQuery(
    List<State> states,
    @Nullable String effect,
    @Nullable String user,
    @Nullable String tenant,
    @Nullable UUID batch,
    @Nullable String ending,
    @Nullable Duration olderThan,
    @Nullable Duration youngerThan,
    List<String> complaints) {

  private static final Pattern AGE = Pattern.compile("([<>])([0-9]{1,6})(s|m|h|d)");

  /** The end of an id that the list shows, or the whole; no effect has such a name. */
  private static final Pattern ID =
      Pattern.compile("[0-9a-f]{8}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private static final List<State> LIVE =
      Arrays.stream(State.values()).filter(State::live).toList();

  public JobQuery {
    states = List.copyOf(states);
    complaints = List.copyOf(complaints);
  }

  static final JobQuery ANY =
      new JobQuery(List.of(), null, null, null, null, null, null, null, List.of());

  static JobQuery parse(String text) {
    Reading reading = new Reading();
    Stream.of(text.strip().split("\\s+", -1))
        .filter(word -> !word.isEmpty())
        .forEach(reading::word);
    return reading.query();
  }

  /** Collects the words one by one. */
  private static final class Reading {
    private final List<State> states = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();
    private @Nullable String effect;
    private @Nullable String user;
    private @Nullable String tenant;
    private @Nullable UUID batch;
    private @Nullable String ending;
    private @Nullable Duration older;
    private @Nullable Duration younger;

    void word(String word) {
      int colon = word.indexOf(':');
      boolean id = ID.matcher(word.toLowerCase(Locale.ROOT)).matches();
      String name = colon >= 0 ? word.substring(0, colon) : id ? "id" : "effect";
      String value = word.substring(colon + 1);
      switch (name) {
        case "state" -> states(value);
        case "effect" -> effect = value;
        case "user" -> user = value;
        case "tenant" -> tenant = value;
        case "batch" -> batch(value);
        case "id" -> id(value.toLowerCase(Locale.ROOT));
        case "age" -> age(value);
        default -> complaints.add(word + ": use state, effect, user, tenant, batch, id or age");
      }
    }

    private void states(String value) {
      for (String label : value.split(",", -1)) {
        if (label.equals("live")) {
          states.addAll(LIVE);
        } else {
          State.find(label)
              .ifPresentOrElse(
                  states::add,
                  () ->
                      complaints.add(
                          "state:" + label + " is none of " + labels(", ", State.values())));
        }
      }
    }

    private void batch(String value) {
      try {
        batch = UUID.fromString(value);
      } catch (IllegalArgumentException e) {
        complaints.add("batch: wants an id");
      }
    }

    private void id(String value) {
      if (ID.matcher(value).matches()) {
        ending = value;
      } else {
        complaints.add("id: wants a job's id, or the eight letters and digits at its end");
      }
    }

    private void age(String value) {
      Matcher matcher = AGE.matcher(value);
      if (!matcher.matches()) {
        complaints.add("age: is written as age:>1h or age:<30m, with s, m, h or d");
        return;
      }
      long number = Long.parseLong(matcher.group(2));
      Duration age =
          switch (matcher.group(3)) {
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
          };
      if (matcher.group(1).equals(">")) {
        older = age;
      } else {
        younger = age;
      }
    }

    JobQuery query() {
      return new JobQuery(states, effect, user, tenant, batch, ending, older, younger, complaints);
    }
  }

  /** The same question with this state instead; none for any. */
  public JobQuery withState(@Nullable State state) {
    return new JobQuery(
        state == null ? List.of() : List.of(state),
        effect,
        user,
        tenant,
        batch,
        ending,
        olderThan,
        youngerThan,
        List.of());
  }

  public boolean isState(@Nullable State state) {
    return state == null ? states.isEmpty() : states.equals(List.of(state));
  }

  /** As it is written. */
  String text() {
    return Stream.of(
            states.isEmpty()
                ? null
                : "state:"
                    + (states.equals(LIVE) ? "live" : labels(",", states.toArray(State[]::new))),
            effect == null ? null : "effect:" + effect,
            user == null ? null : "user:" + user,
            tenant == null ? null : "tenant:" + tenant,
            batch == null ? null : "batch:" + batch,
            ending == null ? null : "id:" + ending,
            olderThan == null ? null : "age:>" + age(olderThan),
            youngerThan == null ? null : "age:<" + age(youngerThan))
        .filter(Objects::nonNull)
        .collect(Collectors.joining(" "));
  }

  private static String labels(String between, State... states) {
    return Arrays.stream(states).map(State::label).collect(Collectors.joining(between));
  }

  private static String age(Duration age) {
    long seconds = age.toSeconds();
    if (seconds % 86_400 == 0) {
      return seconds / 86_400 + "d";
    }
    if (seconds % 3_600 == 0) {
      return seconds / 3_600 + "h";
    }
    return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }

  /**
   * Whether this visitor can find anything at all. A mistyped filter finds nothing, rather than
   * everything: somebody may be about to delete all that match.
   */
  boolean findsAnything(Visit visit) {
    return complaints.isEmpty()
        && (tenant == null || tenant.equals(visit.principal().tenantSlug()));
  }

  /** The one job that is asked for by all of its id and nothing else. */
  Optional<UUID> whole() {
    boolean alone =
        states.isEmpty()
            && Stream.of(effect, user, tenant, batch, olderThan, youngerThan)
                .allMatch(Objects::isNull);
    return alone && ending != null && ending.length() == 36
        ? Optional.of(UUID.fromString(ending))
        : Optional.empty();
  }

  /** Ids begin with their time, so an age is a place among them. */
  Jobs.Filter filter(Visit visit, @Nullable UUID before, int limit, Instant now) {
    @Nullable UUID old = olderThan == null ? null : FirstId.at(now.minus(olderThan));
    @Nullable UUID from = before;
    if (old != null && (before == null || old.toString().compareTo(before.toString()) < 0)) {
      from = old;
    }
    Visibility own = visit.principal().visibility();
    return new Jobs.Filter(
        own.user() == null ? new Visibility(own.tenant(), user, own.workspace()) : own,
        effect,
        states.isEmpty() ? null : states,
        batch,
        ending,
        from,
        limit);
  }

  boolean youngEnough(UUID id, Instant now) {
    return youngerThan == null || FirstId.timeOf(id).isAfter(now.minus(youngerThan));
  }

  /**
   * Which jobs a task would be for; empty if none of the states asked for is possible.
   *
   * @param possible the states in which the task makes sense
   */
  Optional<TaskFilter> taskFilter(List<State> possible, Instant now) {
    List<State> wanted = states.isEmpty() ? possible : states;
    List<State> met = wanted.stream().filter(possible::contains).toList();
    return met.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new TaskFilter(
                met,
                effect,
                user,
                batch,
                null,
                youngerThan == null ? null : now.minus(youngerThan),
                olderThan == null ? null : now.minus(olderThan)));
  }
}
