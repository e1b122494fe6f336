package io.cordwood.catalog.server.identity;

import io.cordwood.catalog.protocol.AuditEntry;
import io.cordwood.catalog.server.http.Caller;
import io.cordwood.catalog.server.http.Refusals;
import io.cordwood.catalog.server.store.AuditStore;
import io.cordwood.catalog.server.store.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Who changed users, grants, tokens and tenants, and who was refused. Thread-safe.
 *
 * <p>A change is recorded in its own transaction. Refusals are counted in memory, and stored as one entry for each user
 * and minute, with the first refused request: a flood of them must not fill the database.
 */
public final class Audit implements Refusals {
    /** How long entries are kept. */
    private static final Duration KEPT = Duration.ofDays(400);

    private static final int MAX_TEXT = 500;

    private final Database database;
    private final InstantSource clock;
    private final Map<String, Refused> refused = new HashMap<>();

    /** The refusals of one user in one minute. */
    private static final class Refused {
        private final String id = UUID.randomUUID().toString();
        private final AuditEntry first;
        private long count;
        private long stored;

        Refused(AuditEntry first) {
            this.first = first;
        }

        AuditEntry entry() {
            return new AuditEntry(first.at(), first.actor(), first.action(), first.subject(), first.detail(), count);
        }
    }

    public Audit(Database database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    /** Records a change in its transaction. */
    public void changed(Connection connection, Caller caller, String action, String subject, String detail)
            throws SQLException {
        changed(connection, caller.name(), action, subject, detail);
    }

    void changed(Connection connection, String actor, String action, String subject, String detail)
            throws SQLException {
        AuditStore.add(
                connection, new AuditEntry(clock.instant(), actor, action, shortened(subject), shortened(detail), 1));
    }

    @Override
    public void refused(String user, String route, String client, String reason) {
        Instant now = clock.instant();
        String key = now.truncatedTo(ChronoUnit.MINUTES) + " " + user;
        synchronized (refused) {
            refused.computeIfAbsent(
                            key,
                            missing -> new Refused(new AuditEntry(
                                    now,
                                    user,
                                    "refused",
                                    route,
                                    "%s, from %s".formatted(shortened(reason), client),
                                    1)))
                    .count++;
        }
    }

    private static String shortened(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "...";
    }

    /** Stores the refusals that were counted since the last time. */
    public synchronized void flush() {
        Map<String, AuditEntry> changed = new HashMap<>();
        synchronized (refused) {
            String minute = clock.instant().truncatedTo(ChronoUnit.MINUTES).toString();
            refused.values().stream()
                    .filter(counted -> counted.count > counted.stored)
                    .forEach(counted -> {
                        changed.put(counted.id, counted.entry());
                        counted.stored = counted.count;
                    });
            refused.keySet().removeIf(key -> !key.startsWith(minute));
        }
        if (changed.isEmpty()) {
            return;
        }
        database.write(connection -> {
            for (Map.Entry<String, AuditEntry> entry : changed.entrySet()) {
                AuditStore.put(connection, entry.getKey(), entry.getValue());
            }
            return null;
        });
    }

    /** The newest entries, newest first. */
    public List<AuditEntry> newest(int limit) {
        flush();
        return database.read(connection -> AuditStore.newest(connection, limit));
    }

    /** Forgets what is too old. */
    void forget(Connection connection) throws SQLException {
        AuditStore.forget(connection, clock.instant().minus(KEPT));
    }
}
