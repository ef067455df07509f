package dev.millrace.service.guard;

import java.util.List;

/** Several gates in a row. The first that doesn't let an input pass has decided. */
public final class Gates implements Gate {

  private final List<Gate> gates;

  public Gates(List<Gate> gates) {
    this.gates = List.copyOf(gates);
  }

  @Override
  public Verdict check(GateRequest request) throws InterruptedException {
    for (Gate gate : gates) {
      Verdict verdict = gate.check(request);
      if (!(verdict instanceof Verdict.Pass)) {
        return verdict;
      }
    }
    return Verdict.PASS;
  }
}
