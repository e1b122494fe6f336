package io.cordwood.catalog.server.store;

import io.cordwood.identity.TokenRules;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * The time from which revocations begin, and until which rules of tokens are complete: one row in the database, which
 * never goes back. Thread-safe.
 *
 * <p>Whoever reads the rules for others first raises the row to the present time plus {@link
 * TokenRules#REVOCATION_LEAD}, and tells them that the rules are complete until then. Whoever revokes a token raises it
 * too, and lets the revocation begin at the row's time. Both do so first in their transaction, and the row's lock lets
 * these transactions run one after the other. So a revocation is either in the rules, or begins no earlier than they
 * are complete, whichever service has ordered it and however far its clock is off.
 *
 * <p>The present time is that of PostgreSQL, which all services share; with SQLite there is one machine. If the row is
 * far ahead of it, the clock was wrong once and the row goes back: else no revocation would begin until then.
 */
public final class RevocationClock {
    /** Further ahead than any two good clocks are apart. */
    private static final Duration WRONG = Duration.ofMinutes(10);

    private final boolean sqlite;
    private final InstantSource host;

    /** @param host clock of this machine, for a database on it */
    public RevocationClock(Database database, InstantSource host) {
        this.sqlite = database.isSqlite();
        this.host = host;
    }

    /** Raises the row, and locks it until the transaction ends. Returns its time. */
    public Instant advance(Connection connection) throws SQLException {
        long next = micros(now(connection).plus(TokenRules.REVOCATION_LEAD));
        Statements.update(connection, """
                INSERT INTO cordwood_token_rules AS known (only_row, complete_until_micros) VALUES (1, ?)
                ON CONFLICT (only_row) DO UPDATE SET complete_until_micros =
                  CASE WHEN known.complete_until_micros BETWEEN ? AND ? THEN known.complete_until_micros
                  ELSE excluded.complete_until_micros END""", next, next, next + WRONG.toNanos() / 1000);
        try (PreparedStatement select =
                        connection.prepareStatement("SELECT complete_until_micros FROM cordwood_token_rules");
                ResultSet rows = select.executeQuery()) {
            rows.next();
            return Instant.EPOCH.plus(rows.getLong(1), ChronoUnit.MICROS);
        }
    }

    private Instant now(Connection connection) throws SQLException {
        if (sqlite) {
            return host.instant();
        }
        try (Statement select = connection.createStatement();
                ResultSet rows =
                        select.executeQuery("SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)")) {
            rows.next();
            return Instant.EPOCH.plus(rows.getLong(1), ChronoUnit.MICROS);
        }
    }

    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }
}
