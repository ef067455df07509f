package dev.millrace.mutants.sql;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** Mistakes in what a query reads: its locks, its order, how many rows, and from where. */
final class Queries {

  private Queries() {}

  static void lock(Statement statement, BiConsumer<Span, String> found) {
    for (int i = 0; i < statement.size(); i++) {
      if (isLock(statement, i)) {
        Span lock = statement.until(i, closes(statement, i));
        found.accept(lock, statement.with(lock, ""));
      }
    }
  }

  /** Whoever meets a locked row waits for it. */
  static void skip(Statement statement, BiConsumer<Span, String> found) {
    for (int i = 0; i < statement.size(); i++) {
      if (statement.reads(i, "skip", "locked")) {
        Span words = new Span(i, i + 2);
        found.accept(words, statement.with(words, ""));
      }
    }
  }

  private static boolean isLock(Statement statement, int index) {
    return statement.reads(index, "for", "update")
        || statement.reads(index, "for", "no")
        || statement.reads(index, "for", "share")
        || statement.reads(index, "for", "key");
  }

  private static Predicate<Integer> closes(Statement statement, int lock) {
    return index -> index > lock && statement.at(index).is("for", "union", ";");
  }

  /**
   * An order is turned round, one key at a time. One that is merely dropped may be the right one by
   * luck.
   */
  static void order(Statement statement, BiConsumer<Span, String> found) {
    for (int i = 0; i < statement.size(); i++) {
      if (statement.reads(i, "order", "by")) {
        for (Span key : statement.split(statement.clause(i + 2), ",")) {
          if (!key.isEmpty()) {
            found.accept(key, statement.with(key, turned(statement, key)));
          }
        }
      }
    }
  }

  private static String turned(Statement statement, Span key) {
    int nulls = key.from();
    while (nulls < key.to() && !statement.at(nulls).is("nulls")) {
      nulls++;
    }
    String rest = nulls == key.to() ? "" : " " + statement.text(new Span(nulls, key.to()));
    int last = nulls - 1;
    boolean falling = statement.at(last).is("desc");
    int end = statement.at(last).is("asc", "desc") ? last : nulls;
    return statement.text(new Span(key.from(), end)) + (falling ? " asc" : " desc") + rest;
  }

  static void limit(Statement statement, BiConsumer<Span, String> found) {
    for (int i = 0; i < statement.size(); i++) {
      if (statement.reads(i, "limit")) {
        Span value = statement.clause(i + 1);
        Span limit = new Span(i, value.to());
        found.accept(
            limit,
            statement.with(
                limit,
                statement.hasParameter(value)
                    ? "limit case when true then null else ("
                        + statement.text(value)
                        + ")::bigint end"
                    : ""));
      }
    }
  }

  static void distinct(Statement statement, BiConsumer<Span, String> found) {
    for (int i = 0; i < statement.size(); i++) {
      if (statement.reads(i, "distinct")
          && !statement.reads(i - 1, "is")
          && !statement.reads(i - 1, "not")) {
        int end = statement.reads(i + 1, "on", "(") ? statement.closing(i + 2) + 1 : i + 1;
        found.accept(new Span(i, end), statement.with(new Span(i, end), ""));
      }
    }
  }

  /** A row that has no partner is lost. */
  static void outer(Statement statement, BiConsumer<Span, String> found) {
    for (int i = 0; i < statement.size(); i++) {
      int words = statement.reads(i, "left", "outer") ? 2 : 1;
      if (statement.reads(i, "left") && statement.reads(i + words, "join")) {
        Span join = statement.clause(i + words + 1);
        found.accept(
            new Span(i, Math.max(join.to(), i + words + 1)),
            statement.with(new Span(i, i + words), ""));
      }
    }
  }

  /** One of several queries of a union gives nothing. */
  static void union(Statement statement, BiConsumer<Span, String> found) {
    for (int i = 0; i < statement.size(); i++) {
      if (statement.at(i).is("union")) {
        int all = statement.reads(i + 1, "all") ? 1 : 0;
        if (!isLaterOne(statement, i)) {
          branch(statement, new Span(firstOf(statement, i), i), found);
        }
        Span rest =
            statement.until(
                i + 1 + all, index -> statement.at(index).is("union", "order", "limit"));
        branch(statement, rest, found);
      }
    }
  }

  private static boolean isLaterOne(Statement statement, int union) {
    int depth = statement.at(union).depth();
    for (int i = union - 1; i >= 0 && statement.at(i).depth() >= depth; i--) {
      if (statement.at(i).depth() == depth && statement.at(i).is("union")) {
        return true;
      }
    }
    return false;
  }

  private static int firstOf(Statement statement, int union) {
    int depth = statement.at(union).depth();
    int first = union;
    for (int i = union - 1; i >= 0 && statement.at(i).depth() >= depth; i--) {
      if (statement.at(i).depth() == depth && statement.at(i).is("select", "values")) {
        first = i;
      }
    }
    return first;
  }

  private static void branch(Statement statement, Span span, BiConsumer<Span, String> found) {
    if (List.of("select", "values").contains(statement.at(span.from()).text())) {
      found.accept(
          span,
          statement.with(span, "select * from (" + statement.text(span) + ") dropped where false"));
    }
  }
}
