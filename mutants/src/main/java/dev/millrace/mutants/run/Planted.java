package dev.millrace.mutants.run;

import dev.millrace.mutants.result.Mutant;
import dev.millrace.mutants.sql.SqlMutant;

/** A mutant in its statement. */
record Planted(Target target, SqlMutant mutant) {

  Mutant named() {
    return new Mutant(target.type(), target.member(), mutant.mistake(), mutant.place());
  }
}
