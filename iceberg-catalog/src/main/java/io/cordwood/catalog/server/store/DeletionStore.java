package io.cordwood.catalog.server.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.catalog.delete.Deletion;
import io.cordwood.catalog.delete.DeletionParser;
import io.cordwood.catalog.json.Json;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Deletions by predicate in the database. Stateless. */
public final class DeletionStore {
    private DeletionStore() {}

    /** All deletions, oldest first. */
    public static List<Deletion> all(Connection connection) throws SQLException {
        List<Deletion> deletions = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(
                        "SELECT deletion FROM cordwood_deletions ORDER BY requested_at, id");
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                deletions.add(
                        DeletionParser.deletion(Json.parse(rows.getString(1).getBytes(UTF_8))));
            }
        }
        return deletions;
    }

    /** Adds or replaces a deletion. */
    public static void put(Connection connection, Deletion deletion) throws SQLException {
        try (PreparedStatement upsert = connection.prepareStatement("""
                INSERT INTO cordwood_deletions (id, requested_at, deletion) VALUES (?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET deletion = excluded.deletion""")) {
            upsert.setString(1, deletion.id());
            upsert.setLong(2, deletion.requestedAt());
            upsert.setString(3, DeletionParser.toJson(deletion).toString());
            upsert.executeUpdate();
        }
    }

    /** Removes a deletion that deleted nothing. */
    public static void delete(Connection connection, String id) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("DELETE FROM cordwood_deletions WHERE id = ?")) {
            delete.setString(1, id);
            delete.executeUpdate();
        }
    }
}
