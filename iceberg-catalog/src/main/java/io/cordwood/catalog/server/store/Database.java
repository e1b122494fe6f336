package io.cordwood.catalog.server.store;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Function;

/**
 * Transactions on the catalog's database, SQLite or PostgreSQL. Thread-safe.
 *
 * <p>SQLite runs in WAL mode, so readers see one snapshot and never wait. Its writers run one after the other, in this
 * process by sharing one connection, across processes by the busy timeout.
 */
public final class Database implements AutoCloseable {
    /** Name of the catalog within the database; PyIceberg's SQL catalog needs the same to read the same tables. */
    public static final String CATALOG_NAME = "cordwood";

    public static final String SQLITE_BUSY_TIMEOUT_MILLIS = "30000";
    private static final int READERS = 4;
    private static final int POSTGRESQL_WRITERS = 4;

    private final boolean sqlite;
    private final BlockingQueue<Session> readers;
    private final BlockingQueue<Session> writers;

    /** Work within one transaction. */
    @FunctionalInterface
    public interface Work<T> {
        T run(Connection connection) throws SQLException;
    }

    private Database(String jdbcUrl) {
        this.sqlite = isSqlite(jdbcUrl);
        this.readers = sessions(READERS, () -> connect(jdbcUrl, true));
        this.writers = sessions(sqlite ? 1 : POSTGRESQL_WRITERS, () -> connect(jdbcUrl, false));
    }

    /**
     * Opens the database, and brings our tables to this program's version.
     *
     * @throws DatabaseException if it cannot be opened, or a newer program has changed its tables
     */
    public static Database open(String jdbcUrl) {
        Database database = new Database(jdbcUrl);
        try {
            database.write(connection -> {
                DatabaseSchema.migrate(connection, database.sqlite);
                return null;
            });
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
        return database;
    }

    public static boolean isSqlite(String jdbcUrl) {
        return jdbcUrl.startsWith("jdbc:sqlite:");
    }

    /** Whether this is SQLite, so that the service and its database have one clock. */
    public boolean isSqlite() {
        return sqlite;
    }

    /** Runs work that reads one consistent state. */
    public <T> T read(Work<T> work) {
        return inTransaction(readers, session -> session.readInTransaction(work));
    }

    /** Runs work that changes all or nothing. */
    public <T> T write(Work<T> work) {
        return inTransaction(writers, session -> session.inTransaction(work));
    }

    private static <T> T inTransaction(BlockingQueue<Session> pool, Function<Session, T> work) {
        Session session;
        try {
            session = pool.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DatabaseException("Interrupted while waiting for a connection", e);
        }
        try {
            return work.apply(session);
        } finally {
            pool.add(session);
        }
    }

    private Connection connect(String jdbcUrl, boolean readOnly) throws SQLException {
        Properties properties = new Properties();
        if (sqlite) {
            properties.setProperty("journal_mode", "WAL");
            properties.setProperty("synchronous", "FULL");
            properties.setProperty("busy_timeout", SQLITE_BUSY_TIMEOUT_MILLIS);
            properties.setProperty("transaction_mode", readOnly ? "DEFERRED" : "IMMEDIATE");
        }
        Connection connection = DriverManager.getConnection(jdbcUrl, properties);
        if (!sqlite && readOnly) {
            connection.setReadOnly(true);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        }
        return connection;
    }

    private static BlockingQueue<Session> sessions(int count, Session.Connector connector) {
        BlockingQueue<Session> sessions = new ArrayBlockingQueue<>(count);
        for (int i = 0; i < count; i++) {
            sessions.add(new Session(connector));
        }
        return sessions;
    }

    @Override
    public void close() {
        readers.forEach(Session::close);
        writers.forEach(Session::close);
    }

    /** A connection that is opened on first use, and again after a failure. Used by one thread at a time. */
    private static final class Session {
        /** Class of SQL states. */
        private static final String CONNECTION_EXCEPTION = "08";
        /** PostgreSQL's SQL state of a session that it ends. */
        private static final String ADMIN_SHUTDOWN = "57P01";

        private final Connector connector;
        private Connection connection;

        /** Opens a connection. */
        @FunctionalInterface
        interface Connector {
            Connection connect() throws SQLException;
        }

        Session(Connector connector) {
            this.connector = connector;
        }

        /** Repeats the work once on a new connection if the server has closed the old one meanwhile. */
        <T> T readInTransaction(Work<T> work) {
            boolean isReused = connection != null;
            try {
                return inTransaction(work);
            } catch (DatabaseException e) {
                if (isReused && isConnectionLost(e)) {
                    return inTransaction(work);
                }
                throw e;
            }
        }

        private static boolean isConnectionLost(DatabaseException failure) {
            String state = failure.getCause() instanceof SQLException cause ? cause.getSQLState() : null;
            return state != null && (state.startsWith(CONNECTION_EXCEPTION) || state.equals(ADMIN_SHUTDOWN));
        }

        <T> T inTransaction(Work<T> work) {
            try {
                if (connection == null) {
                    connection = connector.connect();
                }
                // Set for each transaction: on commit, SQLite's driver would at once begin the next one, with its write
                // lock.
                connection.setAutoCommit(false);
                T result = work.run(connection);
                connection.setAutoCommit(true);
                return result;
            } catch (SQLException e) {
                close();
                throw new DatabaseException("The catalog's database failed: " + e.getMessage(), e);
            } catch (RuntimeException e) {
                close();
                throw e;
            }
        }

        /** Closes the connection, which rolls back an open transaction. */
        void close() {
            if (connection != null) {
                try {
                    connection.close();
                } catch (SQLException e) {
                    // The connection is broken, which is why it is given up.
                    connection = null;
                }
                connection = null;
            }
        }
    }
}
