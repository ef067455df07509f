package dev.millrace.peers;

import java.util.function.Consumer;
import javax.sql.DataSource;

/** A job library, with the settings that suit it best. */
interface Peer {

  /** How many connections it wants in each of its roles. */
  int connections();

  /** Makes its tables in an empty database. */
  void create(DataSource database) throws Exception;

  /** Prepares for {@link #submit}. */
  void open(DataSource database) throws Exception;

  /** Returns when the job is durable. */
  void submit(String payload) throws Exception;

  /** Starts to work; the handler does nothing but look at the payload. */
  void work(DataSource database, Consumer<String> handler) throws Exception;
}
