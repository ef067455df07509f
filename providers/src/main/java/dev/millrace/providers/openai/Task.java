package dev.millrace.providers.openai;

import dev.millrace.contract.provider.Outcome;
import dev.millrace.contract.provider.Work;
import dev.millrace.providers.fetch.FetchTrouble;

/** One kind of thing that the service can be asked for. */
interface Task {

  Outcome run(Work work) throws Unusable, FetchTrouble;

  /**
   * Whether every call is billed. Then a call whose answer is lost must not simply be made again;
   * otherwise it may be.
   */
  default boolean isBilled() {
    return true;
  }
}
