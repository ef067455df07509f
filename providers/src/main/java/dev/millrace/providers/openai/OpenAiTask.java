package dev.millrace.providers.openai;

import dev.millrace.providers.fetch.FetchTrouble;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Work;

/** One kind of thing that the service can be asked for. */
interface OpenAiTask {

  Outcome run(Work work) throws Unusable, FetchTrouble;

  /**
   * Whether every call is billed. Then a call whose answer is lost must not simply be made again;
   * otherwise it may be.
   */
  default boolean isBilled() {
    return true;
  }
}
