package io.cordwood.catalog.server.store;

import io.cordwood.catalog.tenant.AccessRules;
import io.cordwood.catalog.tenant.User;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Users, their grants and the hashes of their tokens in the database. Stateless. */
public final class UserStore {
    private static final int TOKEN_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private UserStore() {}

    public static AccessRules accessRules(Connection connection) throws SQLException {
        Map<String, Set<String>> grants = new HashMap<>();
        try (PreparedStatement select =
                        connection.prepareStatement("SELECT user_name, tenant_id FROM cordwood_grants");
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                grants.computeIfAbsent(rows.getString(1), user -> new HashSet<>())
                        .add(TenantIdColumn.read(rows.getString(2)));
            }
        }
        List<User> users = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(
                        "SELECT user_name, is_operator FROM cordwood_users ORDER BY user_name");
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                String name = rows.getString(1);
                users.add(new User(name, rows.getBoolean(2), grants.getOrDefault(name, Set.of())));
            }
        }
        return new AccessRules(isOpen(connection), users);
    }

    /** Whether there was no grant yet. Revoking the last grant does not open the registry again. */
    public static boolean isOpen(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT 1 FROM cordwood_access_closed");
                ResultSet rows = select.executeQuery()) {
            return !rows.next();
        }
    }

    public static Optional<User> withToken(Connection connection, String token) throws SQLException {
        String name;
        boolean operator;
        try (PreparedStatement select = connection.prepareStatement("""
                SELECT u.user_name, u.is_operator FROM cordwood_users u
                JOIN cordwood_tokens t ON t.user_name = u.user_name WHERE t.token_hash = ?""")) {
            select.setString(1, hash(token));
            try (ResultSet rows = select.executeQuery()) {
                if (!rows.next()) {
                    return Optional.empty();
                }
                name = rows.getString(1);
                operator = rows.getBoolean(2);
            }
        }
        Set<String> tenants = new HashSet<>();
        try (PreparedStatement select =
                connection.prepareStatement("SELECT tenant_id FROM cordwood_grants WHERE user_name = ?")) {
            select.setString(1, name);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    tenants.add(TenantIdColumn.read(rows.getString(1)));
                }
            }
        }
        return Optional.of(new User(name, operator, tenants));
    }

    /**
     * Adds or replaces the user.
     *
     * @throws IllegalArgumentException if the registry would be left with grants but without an operator with a token,
     *     so that no user could change it any more
     */
    public static void put(Connection connection, User user) throws SQLException {
        update(connection, """
                INSERT INTO cordwood_users (user_name, is_operator) VALUES (?, ?)
                ON CONFLICT (user_name) DO UPDATE SET is_operator = excluded.is_operator""", user.name(), user.operator());
        update(connection, "DELETE FROM cordwood_grants WHERE user_name = ?", user.name());
        for (String tenantId : user.tenants()) {
            update(
                    connection,
                    "INSERT INTO cordwood_grants (user_name, tenant_id) VALUES (?, ?)",
                    user.name(),
                    TenantIdColumn.write(tenantId));
        }
        if (!user.tenants().isEmpty()) {
            update(connection, "INSERT INTO cordwood_access_closed (closed) VALUES (?) ON CONFLICT DO NOTHING", true);
        }
        checkSomeoneIsOperator(connection);
    }

    /**
     * Removes the user; false if there was none.
     *
     * @throws IllegalArgumentException as {@link #put}
     */
    public static boolean delete(Connection connection, String userName) throws SQLException {
        update(connection, "DELETE FROM cordwood_grants WHERE user_name = ?", userName);
        update(connection, "DELETE FROM cordwood_tokens WHERE user_name = ?", userName);
        boolean existed = update(connection, "DELETE FROM cordwood_users WHERE user_name = ?", userName) > 0;
        checkSomeoneIsOperator(connection);
        return existed;
    }

    /** Creates a token; empty if there is no such user. */
    public static Optional<String> createToken(Connection connection, String userName) throws SQLException {
        if (accessRules(connection).users().stream()
                .noneMatch(user -> user.name().equals(userName))) {
            return Optional.empty();
        }
        byte[] random = new byte[TOKEN_BYTES];
        RANDOM.nextBytes(random);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        update(connection, "INSERT INTO cordwood_tokens (token_hash, user_name) VALUES (?, ?)", hash(token), userName);
        return Optional.of(token);
    }

    /**
     * Revokes all tokens of the user.
     *
     * @throws IllegalArgumentException as {@link #put}
     */
    public static void deleteTokens(Connection connection, String userName) throws SQLException {
        update(connection, "DELETE FROM cordwood_tokens WHERE user_name = ?", userName);
        checkSomeoneIsOperator(connection);
    }

    private static void checkSomeoneIsOperator(Connection connection) throws SQLException {
        if (isOpen(connection)) {
            return;
        }
        try (PreparedStatement select = connection.prepareStatement("""
                SELECT 1 FROM cordwood_users u JOIN cordwood_tokens t ON t.user_name = u.user_name
                WHERE u.is_operator LIMIT 1""");
                ResultSet rows = select.executeQuery()) {
            if (!rows.next()) {
                throw new IllegalArgumentException(
                        "No user could change the registry any more: first create a user with \"operator\": true and a"
                                + " token for it");
            }
        }
    }

    private static int update(Connection connection, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            return statement.executeUpdate();
        }
    }

    /** Tokens are random, so a plain hash of them cannot be reversed by guessing. */
    private static String hash(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Java lacks SHA-256", e);
        }
    }
}
