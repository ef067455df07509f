package dev.millrace.service.duties;

/** Something that is done again and again. */
public interface Duty {

  String name();

  void run() throws InterruptedException;
}
