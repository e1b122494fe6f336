package io.cordwood.standalone.sql;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.secret.Login;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/** A connection to Trino, catalog {@code cordwood}. Not thread-safe. */
public final class SqlClient implements AutoCloseable {
    private final Connection connection;

    /** A handler of query results. */
    @FunctionalInterface
    public interface RowsHandler<T> {
        T handle(ResultSet rows) throws SQLException;
    }

    private SqlClient(Connection connection) {
        this.connection = connection;
    }

    /**
     * Connects.
     *
     * @param trino the coordinator's URL
     * @param user the user's name; empty: the one that the token stands for
     * @param session session properties, by their full names
     * @param login as whom to connect
     * @throws CordwoodException if Trino cannot be reached
     */
    public static SqlClient connect(String trino, String user, Map<String, String> session, Login login) {
        URI uri = URI.create(trino);
        Properties properties = new Properties();
        if (!user.isEmpty()) {
            properties.setProperty("user", user);
        }
        login.secrets().ifPresent(secrets -> {
            properties.setProperty("SSL", "true");
            properties.setProperty("SSLTrustStorePath", secrets.authorities().toString());
            properties.setProperty("accessToken", login.token());
        });
        properties.setProperty("source", "cordwood");
        if (!session.isEmpty()) {
            properties.setProperty(
                    "sessionProperties",
                    session.entrySet().stream()
                            .map(entry -> entry.getKey() + ":" + entry.getValue())
                            .collect(Collectors.joining(";")));
        }
        try {
            return new SqlClient(DriverManager.getConnection(
                    "jdbc:trino://%s:%d/cordwood".formatted(uri.getHost(), uri.getPort()), properties));
        } catch (SQLException e) {
            throw new CordwoodException("cannot connect to Trino at %s: %s".formatted(trino, Errors.text(e)), e);
        }
    }

    /** Runs a statement and hands its rows over. @throws CordwoodException with Trino's own message if it fails */
    public <T> T query(String sql, RowsHandler<T> handler) {
        try (Statement statement = connection.createStatement()) {
            // True even for statements that only report a count: Trino returns a row for these too.
            if (statement.execute(sql)) {
                try (ResultSet rows = statement.getResultSet()) {
                    return handler.handle(rows);
                }
            }
            try (Statement nothing = connection.createStatement();
                    ResultSet none = nothing.executeQuery("SELECT 'done' AS result")) {
                return handler.handle(none);
            }
        } catch (SQLException e) {
            throw new CordwoodException(message(e), e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new CordwoodException("cannot close the connection: " + Errors.text(e), e);
        }
    }

    private static String message(SQLException e) {
        // "Query failed (#20261120_094500_00012_abcde): line 1:8: Column 'x' cannot be resolved"
        return Errors.text(e).replaceFirst("^Query failed \\(#[^)]*\\): ", "");
    }
}
