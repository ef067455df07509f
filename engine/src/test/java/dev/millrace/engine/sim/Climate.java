package dev.millrace.engine.sim;

import java.util.List;

/**
 * What kind of a day it is. Each schedule draws its own, so that some see nothing but faults and
 * others are quiet enough to get far.
 *
 * @param faults of a thousand port calls, how many break
 * @param interludes of a thousand, how many let somebody else in between
 * @param lostReplies of a hundred answers
 * @param duplicates of a hundred letters
 * @param batch how many commands may meet
 * @param keys how many idempotency keys a user draws from
 * @param funds how generous payments are
 * @param limit how many jobs a user may have at once; 0 for as many as they like
 * @param haste how far the clock usually jumps, in milliseconds
 */
record Climate(
    int faults,
    int interludes,
    int lostReplies,
    int duplicates,
    int batch,
    int keys,
    int funds,
    int haste,
    int limit,
    int steps) {

  static Climate draw(Chance chance) {
    return new Climate(
        chance.pick(List.of(0, 3, 10, 30)),
        chance.pick(List.of(0, 5, 20)),
        chance.pick(List.of(0, 5, 20)),
        chance.pick(List.of(0, 10, 30)),
        chance.pick(List.of(1, 3, 8)),
        chance.pick(List.of(2, 6, 30)),
        chance.pick(List.of(15, 40, 200)),
        chance.pick(List.of(2_000, 9_000, 25_000)),
        chance.pick(List.of(0, 0, 3, 8)),
        chance.between(80, 180));
  }
}
