package io.cordwood.catalog.server.store;

import io.cordwood.catalog.protocol.AuditEntry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The audit in the database. Stateless. */
public final class AuditStore {
    private AuditStore() {}

    /** Adds an entry. */
    public static void add(Connection connection, AuditEntry entry) throws SQLException {
        put(connection, UUID.randomUUID().toString(), entry);
    }

    /** Adds an entry, or replaces the count of the one of this id. */
    public static void put(Connection connection, String id, AuditEntry entry) throws SQLException {
        Statements.update(
                connection,
                """
                INSERT INTO cordwood_audit (entry_id, at_millis, actor, action, subject, detail, occurrences)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (entry_id) DO UPDATE SET occurrences = excluded.occurrences""",
                id,
                entry.at().toEpochMilli(),
                entry.actor(),
                entry.action(),
                text(entry.subject()),
                text(entry.detail()),
                entry.count());
    }

    /** PostgreSQL does not take U+0000 in text. */
    private static String text(String text) {
        return text.replace('\0', '\uFFFD');
    }

    /** The newest entries, newest first. */
    public static List<AuditEntry> newest(Connection connection, int limit) throws SQLException {
        List<AuditEntry> entries = new ArrayList<>();
        try (PreparedStatement select = Statements.prepare(connection, """
                        SELECT at_millis, actor, action, subject, detail, occurrences FROM cordwood_audit
                        ORDER BY at_millis DESC, entry_id LIMIT ?""", limit);
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                entries.add(new AuditEntry(
                        Instant.ofEpochMilli(rows.getLong(1)),
                        rows.getString(2),
                        rows.getString(3),
                        rows.getString(4),
                        rows.getString(5),
                        rows.getLong(6)));
            }
        }
        return entries;
    }

    /** Forgets entries that are older. */
    public static void forget(Connection connection, Instant before) throws SQLException {
        Statements.update(connection, "DELETE FROM cordwood_audit WHERE at_millis < ?", before.toEpochMilli());
    }
}
