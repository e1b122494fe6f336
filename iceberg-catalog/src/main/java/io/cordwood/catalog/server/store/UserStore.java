package io.cordwood.catalog.server.store;

import io.cordwood.catalog.tenant.AccessRules;
import io.cordwood.catalog.tenant.User;
import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.TenantRole;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Users and their grants in the database. Stateless. */
public final class UserStore {
    private UserStore() {}

    /**
     * All users with their grants.
     *
     * @param closed whether the registry is closed even before its first grant
     */
    public static AccessRules accessRules(Connection connection, boolean closed) throws SQLException {
        Map<String, Map<String, Set<TenantRole>>> grants = new HashMap<>();
        try (PreparedStatement select =
                        connection.prepareStatement("SELECT user_name, tenant_id, tenant_role FROM cordwood_grants");
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                add(
                        grants.computeIfAbsent(rows.getString(1), user -> new HashMap<>()),
                        rows.getString(2),
                        rows.getString(3));
            }
        }
        List<User> users = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(
                        "SELECT user_name, is_operator, service FROM cordwood_users ORDER BY user_name");
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                users.add(user(rows, grants.getOrDefault(rows.getString(1), Map.of())));
            }
        }
        return new AccessRules(!closed && isOpen(connection), users);
    }

    private static void add(Map<String, Set<TenantRole>> grants, String tenantColumn, String roleColumn) {
        grants.computeIfAbsent(TenantIdColumn.read(tenantColumn), tenant -> EnumSet.noneOf(TenantRole.class))
                .add(TenantRole.of(roleColumn));
    }

    /** A row of the name, whether it is an operator, and the service. */
    private static User user(ResultSet row, Map<String, Set<TenantRole>> grants) throws SQLException {
        return new User(
                row.getString(1),
                row.getBoolean(2),
                Optional.ofNullable(row.getString(3)).map(ServiceRole::of),
                grants);
    }

    /** Whether there was no grant yet. Revoking the last grant does not open the registry again. */
    public static boolean isOpen(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT 1 FROM cordwood_access_closed");
                ResultSet rows = select.executeQuery()) {
            return !rows.next();
        }
    }

    /** The user of this name; empty if there is none. */
    public static int count(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT count(*) FROM cordwood_users");
                ResultSet rows = select.executeQuery()) {
            rows.next();
            return rows.getInt(1);
        }
    }

    public static Optional<User> find(Connection connection, String userName) throws SQLException {
        try (PreparedStatement select = Statements.prepare(
                        connection,
                        "SELECT user_name, is_operator, service FROM cordwood_users WHERE user_name = ?",
                        userName);
                ResultSet rows = select.executeQuery()) {
            return rows.next() ? Optional.of(user(rows, grants(connection, userName))) : Optional.empty();
        }
    }

    private static Map<String, Set<TenantRole>> grants(Connection connection, String userName) throws SQLException {
        Map<String, Set<TenantRole>> grants = new HashMap<>();
        try (PreparedStatement select = Statements.prepare(
                        connection,
                        "SELECT tenant_id, tenant_role FROM cordwood_grants WHERE user_name = ?",
                        userName);
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                add(grants, rows.getString(1), rows.getString(2));
            }
        }
        return grants;
    }

    /** Adds or replaces the user. */
    public static void put(Connection connection, User user) throws SQLException {
        Statements.update(
                connection,
                """
                INSERT INTO cordwood_users (user_name, is_operator, service) VALUES (?, ?, ?)
                ON CONFLICT (user_name) DO UPDATE SET is_operator = excluded.is_operator, service = excluded.service""",
                user.name(),
                user.operator(),
                user.service().map(ServiceRole::label).orElse(null));
        Statements.update(connection, "DELETE FROM cordwood_grants WHERE user_name = ?", user.name());
        for (Map.Entry<String, Set<TenantRole>> grant : user.grants().entrySet()) {
            for (TenantRole role : grant.getValue()) {
                Statements.update(
                        connection,
                        "INSERT INTO cordwood_grants (user_name, tenant_id, tenant_role) VALUES (?, ?, ?)",
                        user.name(),
                        TenantIdColumn.write(grant.getKey()),
                        role.label());
            }
        }
        if (!user.grants().isEmpty()) {
            Statements.update(
                    connection, "INSERT INTO cordwood_access_closed (closed) VALUES (?) ON CONFLICT DO NOTHING", true);
        }
    }

    /** Removes the user; false if there was none. */
    public static boolean delete(Connection connection, String userName) throws SQLException {
        Statements.update(connection, "DELETE FROM cordwood_grants WHERE user_name = ?", userName);
        return Statements.update(connection, "DELETE FROM cordwood_users WHERE user_name = ?", userName) > 0;
    }

    /** Whether there is an operator. */
    public static boolean hasOperator(Connection connection) throws SQLException {
        try (PreparedStatement select = Statements.prepare(
                        connection, "SELECT 1 FROM cordwood_users WHERE is_operator = ? LIMIT 1", true);
                ResultSet rows = select.executeQuery()) {
            return rows.next();
        }
    }

    /** Whether there is an operator with a token for all that an operator may do, which is good at this time. */
    public static boolean hasOperatorWithToken(Connection connection, long epochSecond) throws SQLException {
        try (PreparedStatement select = Statements.prepare(connection, """
                        SELECT 1 FROM cordwood_users u JOIN cordwood_tokens t ON t.user_name = u.user_name
                        WHERE u.is_operator = ? AND t.tenant_id IS NULL AND t.revoked_micros IS NULL
                          AND t.expires_seconds > ? LIMIT 1""", true, epochSecond);
                ResultSet rows = select.executeQuery()) {
            return rows.next();
        }
    }
}
