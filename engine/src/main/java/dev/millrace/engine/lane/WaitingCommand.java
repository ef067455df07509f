package dev.millrace.engine.lane;

import java.util.concurrent.CompletableFuture;

/** A command and its caller. */
final class WaitingCommand<C, R> {

  private final C command;
  private final CompletableFuture<R> answer = new CompletableFuture<>();
  private boolean putOff;
  private volatile boolean impatient;

  WaitingCommand(C command) {
    this.command = command;
  }

  C command() {
    return command;
  }

  CompletableFuture<R> answer() {
    return answer;
  }

  void fail(Throwable e) {
    answer.completeExceptionally(e);
  }

  /** Whether it has been put off before. */
  boolean isPutOff() {
    return putOff;
  }

  void putOff() {
    putOff = true;
  }

  /** Whether it has waited for somebody else's row for long enough. */
  boolean isImpatient() {
    return impatient;
  }

  void losePatience() {
    impatient = true;
  }
}
