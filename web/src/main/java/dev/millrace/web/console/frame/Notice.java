package dev.millrace.web.console.frame;

import java.util.Map;

/** What was just done, said once on the page that follows. Only words of ours are ever shown. */
public record Notice(String text) {

  static final Notice NONE = new Notice("");

  private static final Map<String, String> WORDS =
      Map.ofEntries(
          Map.entry("canceled", "Canceled. What the job held comes back to the wallet."),
          Map.entry("canceling", "It is being stopped. What it held comes back when it has ended."),
          Map.entry("retried", "The job goes on, with a new hold."),
          Map.entry("deleted", "Deleted, with its files and its input."),
          Map.entry("approved", "Approved and paid for."),
          Map.entry("declined", "Declined."),
          Map.entry("decided-some", "Decided. The others of this result wait on."),
          Map.entry("nothing-picked", "Tick what to let through, or decline all of it."),
          Map.entry("decided-before", "It was decided already, and stays as it is."),
          Map.entry("paused", "Paused. Jobs are taken in and wait."),
          Map.entry("resumed", "Resumed."),
          Map.entry("drain", "Draining: it finishes what it holds and gets nothing new."),
          Map.entry("resume", "It gets jobs again."),
          Map.entry("approve", "Approved. It can take jobs now."),
          Map.entry("revoke", "Revoked. Its jobs go back to the queue."),
          Map.entry("removed", "Removed."),
          Map.entry("key-revoked", "Revoked. The key is dead within five seconds."),
          Map.entry("credited", "Booked."),
          Map.entry("reloaded", "The catalogue was read again."),
          Map.entry("task", "The task has begun; this page shows how far it is."),
          Map.entry("stopped", "The task stops after the page that is under way."),
          Map.entry("changed", "Saved."),
          Map.entry(
              "tenant-removing", "It is being removed; this page tells when nothing is left."),
          Map.entry(
              "webhook-enable",
              "Enabled. What was held is sent now, and then what happens from now on."),
          Map.entry("webhook-disable", "Disabled. Nothing more is sent to it."),
          Map.entry("webhook-test", "A test is on its way; load the page again to see the answer."),
          Map.entry("redelivered", "It is sent again."),
          Map.entry("adopted", "Adopted. The job is paid for anew and gets the late result."),
          Map.entry("signed-out", "You are signed out."));

  static Notice of(String key) {
    return new Notice(WORDS.getOrDefault(key, ""));
  }

  public boolean isEmpty() {
    return text.isEmpty();
  }
}
