package io.cordwood.catalog.server.store;

import io.cordwood.catalog.protocol.RegisteredToken;
import io.cordwood.catalog.tenant.User;
import io.cordwood.identity.Audience;
import io.cordwood.identity.TenantRole;
import io.cordwood.identity.Token;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Issued tokens in the database, without the secrets: id, user, scope, times. Stateless.
 *
 * <p>A token that is exchanged for another is that one's parent. The root is the API key at the beginning of the line,
 * or stands for a user of the OpenID provider, and is no registered token then.
 */
public final class TokenStore {
    private static final String COLUMNS = """
            token_id, user_name, parent_id, tenant_id, tenant_role, streams, issued_seconds, expires_seconds,
            revoked_micros, audience""";
    /** Names of streams cannot have it. */
    private static final String SEPARATOR = ",";

    private TokenStore() {}

    /**
     * The registry's view of a bearer.
     *
     * @param user the user with its grants
     * @param rootId id of the first token of the token's line
     * @param revoked whether the token's revocation is ordered
     */
    public record Bearer(User user, String rootId, boolean revoked) {}

    /** The bearer of a token; empty if the token or its user is not registered. */
    public static Optional<Bearer> bearer(Connection connection, String tokenId) throws SQLException {
        try (PreparedStatement select = Statements.prepare(
                        connection,
                        "SELECT user_name, root_id, revoked_micros IS NOT NULL FROM cordwood_tokens WHERE token_id = ?",
                        tokenId);
                ResultSet rows = select.executeQuery()) {
            if (!rows.next()) {
                return Optional.empty();
            }
            String rootId = rows.getString(2);
            boolean revoked = rows.getBoolean(3);
            return UserStore.find(connection, rows.getString(1)).map(user -> new Bearer(user, rootId, revoked));
        }
    }

    /**
     * Registers a token.
     *
     * @param rootId id of the first token of its line
     */
    public static void put(Connection connection, Token token, String rootId) throws SQLException {
        Statements.update(
                connection,
                """
                INSERT INTO cordwood_tokens (token_id, user_name, audience, root_id, parent_id, tenant_id, tenant_role,
                  streams, issued_seconds, expires_seconds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                token.id(),
                token.user(),
                token.audience().label(),
                rootId,
                token.parent().orElse(null),
                token.scope().map(scope -> TenantIdColumn.write(scope.tenant())).orElse(null),
                token.scope().map(scope -> scope.role().label()).orElse(null),
                token.scope()
                        .map(scope -> String.join(
                                SEPARATOR, scope.streams().stream().sorted().toList()))
                        .orElse(null),
                token.issued().getEpochSecond(),
                token.expires().getEpochSecond());
    }

    /** The token of this id; empty if there is none. */
    public static Optional<RegisteredToken> find(Connection connection, String tokenId) throws SQLException {
        return tokens(connection, "WHERE token_id = ?", tokenId).stream().findFirst();
    }

    /** All tokens, newest first. */
    public static List<RegisteredToken> all(Connection connection) throws SQLException {
        return tokens(connection, "ORDER BY issued_seconds DESC, token_id");
    }

    /** The tokens of a user, newest first. */
    public static List<RegisteredToken> ofUser(Connection connection, String userName) throws SQLException {
        return tokens(connection, "WHERE user_name = ? ORDER BY issued_seconds DESC, token_id", userName);
    }

    /** The tokens that are good for one role in a tenant. */
    public static List<RegisteredToken> ofTenant(Connection connection, String tenantId) throws SQLException {
        return tokens(connection, "WHERE tenant_id = ?", TenantIdColumn.write(tenantId));
    }

    private static List<RegisteredToken> tokens(Connection connection, String condition, Object... parameters)
            throws SQLException {
        List<RegisteredToken> tokens = new ArrayList<>();
        try (PreparedStatement select = Statements.prepare(
                        connection, "SELECT " + COLUMNS + " FROM cordwood_tokens " + condition, parameters);
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                tokens.add(token(rows));
            }
        }
        return tokens;
    }

    private static RegisteredToken token(ResultSet row) throws SQLException {
        Optional<Token.Scope> scope = Optional.empty();
        String tenant = row.getString(4);
        if (tenant != null) {
            String streams = row.getString(6);
            scope = Optional.of(new Token.Scope(
                    TenantIdColumn.read(tenant),
                    TenantRole.of(row.getString(5)),
                    streams.isEmpty() ? Set.of() : Set.of(streams.split(SEPARATOR, -1))));
        }
        Instant issued = Instant.ofEpochSecond(row.getLong(7));
        Instant expires = Instant.ofEpochSecond(row.getLong(8));
        long micros = row.getLong(9);
        Optional<Instant> revoked =
                row.wasNull() ? Optional.empty() : Optional.of(Instant.EPOCH.plus(micros, ChronoUnit.MICROS));
        return new RegisteredToken(
                row.getString(1),
                row.getString(2),
                Audience.of(row.getString(10)),
                scope,
                issued,
                expires,
                Optional.ofNullable(row.getString(3)),
                revoked);
    }

    /** How many API keys of the user are registered. */
    public static long countKeys(Connection connection, String userName) throws SQLException {
        return count(connection, "user_name = ? AND parent_id IS NULL", userName);
    }

    /** How many tokens of a line, without its root, have not ended, or are kept as revoked. */
    public static long countAccess(Connection connection, String rootId, Audience audience, Instant now)
            throws SQLException {
        return countAccess(connection, "root_id", rootId, audience, now);
    }

    /** How many tokens of all lines of the user, without the roots, have not ended, or are kept as revoked. */
    public static long countAccessOfUser(Connection connection, String userName, Audience audience, Instant now)
            throws SQLException {
        return countAccess(connection, "user_name", userName, audience, now);
    }

    private static long countAccess(Connection connection, String column, String value, Audience audience, Instant now)
            throws SQLException {
        return count(
                connection,
                column + " = ? AND parent_id IS NOT NULL AND audience = ?"
                        + " AND (revoked_micros IS NOT NULL OR expires_seconds > ?)",
                value,
                audience.label(),
                now.getEpochSecond());
    }

    private static long count(Connection connection, String condition, Object... parameters) throws SQLException {
        try (PreparedStatement select = Statements.prepare(
                        connection, "SELECT COUNT(*) FROM cordwood_tokens WHERE " + condition, parameters);
                ResultSet rows = select.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** Revokes a token and those that it was exchanged for, directly or not. A revoked one keeps its time. */
    public static void revoke(Connection connection, String tokenId, Instant from) throws SQLException {
        Statements.update(connection, """
                WITH RECURSIVE line (token_id) AS (
                  SELECT token_id FROM cordwood_tokens WHERE token_id = ? OR root_id = ?
                  UNION
                  SELECT child.token_id FROM cordwood_tokens child JOIN line ON child.parent_id = line.token_id)
                UPDATE cordwood_tokens SET revoked_micros = ?
                WHERE revoked_micros IS NULL AND token_id IN (SELECT token_id FROM line)""", tokenId, tokenId, ChronoUnit.MICROS.between(Instant.EPOCH, from));
    }

    /** For each revoked token, when its revocation begins. */
    public static Map<String, Instant> revoked(Connection connection) throws SQLException {
        Map<String, Instant> revoked = new HashMap<>();
        try (PreparedStatement select = connection.prepareStatement(
                        "SELECT token_id, revoked_micros FROM cordwood_tokens WHERE revoked_micros IS NOT NULL");
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                revoked.put(rows.getString(1), Instant.EPOCH.plus(rows.getLong(2), ChronoUnit.MICROS));
            }
        }
        return revoked;
    }

    /**
     * Forgets tokens that have ended.
     *
     * @param before tokens that ended before it go, except revoked ones for records
     * @param replayedBefore revoked ones for records, which may be read again, go if they ended before it
     */
    public static void forget(Connection connection, Instant before, Instant replayedBefore) throws SQLException {
        Statements.update(
                connection, """
                DELETE FROM cordwood_tokens WHERE expires_seconds < ?
                  AND (revoked_micros IS NULL OR audience <> ? OR expires_seconds < ?)""", before.getEpochSecond(), Audience.RECORDS.label(), replayedBefore.getEpochSecond());
    }
}
