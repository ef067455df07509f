package dev.millrace.mutants.sql;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All mutants of a statement. */
public final class SqlMutants {

  private static final Map<String, Mistake> MISTAKES = new LinkedHashMap<>();

  static {
    MISTAKES.put("condition dropped", new Conditions());
    MISTAKES.put("bound moved", Values::bound);
    MISTAKES.put("lock dropped", Queries::lock);
    MISTAKES.put("skip locked dropped", Queries::skip);
    MISTAKES.put("order turned", Queries::order);
    MISTAKES.put("limit dropped", Queries::limit);
    MISTAKES.put("distinct dropped", Queries::distinct);
    MISTAKES.put("left join made inner", Queries::outer);
    MISTAKES.put("part of union dropped", Queries::union);
    MISTAKES.put("clock replaced", Values::clock);
    MISTAKES.put("coalesce dropped", Values::coalesce);
    MISTAKES.put("greatest or least dropped", Values::extreme);
    MISTAKES.put("assignment dropped", Values::assignment);
    MISTAKES.put("on conflict dropped", Values::conflict);
  }

  private static final int LONGEST_PLACE = 80;

  private SqlMutants() {}

  /** In the order of the kinds of mistakes; no two have both mistake and place in common. */
  public static List<SqlMutant> of(String sql) {
    Statement statement = new Statement(sql);
    List<SqlMutant> mutants = new ArrayList<>();
    MISTAKES.forEach((name, mistake) -> {
      Map<String, Integer> places = new HashMap<>();
      mistake.make(
          statement,
          (span, mutated) -> {
            String place = shortened(statement.text(span).replaceAll("\\s+", " "));
            int count = places.merge(place, 1, Integer::sum);
            mutants.add(new SqlMutant(name, count == 1 ? place : place + " #" + count, mutated));
          });
    });
    return mutants;
  }

  private static String shortened(String place) {
    return place.length() > LONGEST_PLACE ? place.substring(0, LONGEST_PLACE) + "..." : place;
  }
}
