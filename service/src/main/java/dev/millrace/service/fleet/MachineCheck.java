package dev.millrace.service.fleet;

/** Says whether a worker of this name may join, because of the machine that it is named after. */
@FunctionalInterface
public interface MachineCheck {

  /** What is said of a machine. */
  enum Answer {
    WELCOME,
    IN_NO_GROUP,
    /** It can't be found out now. */
    UNDECIDED
  }

  Answer of(String workerId);
}
