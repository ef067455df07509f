package dev.millrace.postgres.connection;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.Map;
import java.util.Properties;
import java.util.WeakHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** Opens connections that have their limits in force and were let in by the {@link Primary}. */
public final class AdmittedConnections extends PGSimpleDataSource {
  private static final long serialVersionUID = 1;
  private static final int LOGIN_SECONDS = 10;

  /**
   * For each answer while a connection is let in. A pool opens its connections one by one, so one
   * that fell silent on its way in must not keep out the next for as long as a statement may take.
   */
  private static final int ADMISSION_SECONDS = 4;

  private final transient WaitLimits limits;
  private final transient Primary primary;
  private final transient String session;

  /** Why the newest attempt to connect failed; null if it didn't. */
  private transient volatile @Nullable Exception refusal;

  /** Of the connections that somebody still has. */
  private final transient Map<Connection, Integer> timelines =
      Collections.synchronizedMap(new WeakHashMap<>());

  /**
   * Connections to one address.
   *
   * @param session what else to set in each session
   */
  public AdmittedConnections(
      String jdbcUrl,
      String user,
      String password,
      WaitLimits limits,
      Primary primary,
      String session)
      throws SQLException {
    this.limits = limits;
    this.primary = primary;
    this.session = session;
    Properties properties = limits.properties();
    for (String name : properties.stringPropertyNames()) {
      setProperty(name, properties.getProperty(name));
    }
    setApplicationName("millrace");
    setPrepareThreshold(3);
    // Details quote rows, and rows hold lease tokens and prompts, which belong in no log.
    setLogServerErrorDetail(false);
    if (!user.isEmpty()) {
      setUser(user);
      setPassword(password);
    }
    // What stands in the address wins.
    setURL(jdbcUrl);
  }

  /** Those who wait in a pool are impatient; to connect may take longer than they wait. */
  @Override
  public void setLoginTimeout(int seconds) {
    super.setLoginTimeout(LOGIN_SECONDS);
  }

  /**
   * Looks whether this is a server at all that can be used, before anything is set or written.
   *
   * @throws RefusedServer if it isn't
   */
  public void check() throws SQLException {
    try (Connection connection = super.getConnection(getUser(), getPassword())) {
      primary.admit(connection);
    }
    SessionCheck.run(plain());
  }

  /** False if a newer timeline was seen since it was opened: it may be to the old primary. */
  boolean isCurrent(Connection connection) {
    Integer timeline = timelines.get(connection);
    return timeline == null || timeline >= primary.newest();
  }

  /** Why nobody could connect when it was tried last; null if that went well. */
  @Nullable Exception refusal() {
    return refusal;
  }

  private DataSource plain() {
    return (DataSource)
        Proxy.newProxyInstance(
            AdmittedConnections.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (_, _, _) -> super.getConnection(getUser(), getPassword()));
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    try {
      Connection connection = admitted(user, password);
      refusal = null;
      return connection;
    } catch (SQLException | RuntimeException e) {
      refusal = e;
      throw e;
    }
  }

  private Connection admitted(String user, String password) throws SQLException {
    Connection connection = super.getConnection(user, password);
    try (Statement statement = connection.createStatement()) {
      int usual = connection.getNetworkTimeout();
      connection.setNetworkTimeout(Runnable::run, 1000 * ADMISSION_SECONDS);
      timelines.put(connection, primary.admit(connection));
      statement.execute(limits.sql() + session);
      connection.setNetworkTimeout(Runnable::run, usual);
      return connection;
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }
}
