package io.cordwood.catalog.server;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.iceberg.exceptions.CommitFailedException;

/**
 * The topics that a stream has had, by Kafka's id. At most one has not ended: a topic ends when the ingest job finds
 * another one, or none, under its name. Stateless.
 */
final class TopicStore {
    /** In place of an id, where a stream has no topic. Its row exists to be locked. */
    private static final String NO_TOPIC = "";

    private TopicStore() {}

    /**
     * Ends all topics of the stream but its present one.
     *
     * @param topicId the present topic; empty if there is none
     * @return the ids of the topics that have ended
     * @throws CommitFailedException if the present topic has ended before: whoever says so was told by a broker that lags
     */
    static Set<String> setTopic(Connection connection, String stream, Optional<String> topicId) throws SQLException {
        lock(connection, stream);
        if (topicId.isPresent() && ended(connection, stream).contains(topicId.get())) {
            throw new CommitFailedException(
                    "Stream '%s' has had another topic since the one with id %s. Ask Kafka again: the broker that was asked lags",
                    stream, topicId.get());
        }
        try (PreparedStatement end = connection.prepareStatement(
                "UPDATE cordwood_topics SET ended = TRUE WHERE stream = ? AND topic_id <> ?")) {
            end.setString(1, stream);
            end.setString(2, topicId.orElse(NO_TOPIC));
            end.executeUpdate();
        }
        if (topicId.isPresent()) {
            insert(connection, stream, topicId.get(), "DO NOTHING");
        }
        return ended(connection, stream);
    }

    /** Lets one caller at a time set the topic of a stream, until the end of the transaction. */
    private static void lock(Connection connection, String stream) throws SQLException {
        insert(connection, stream, NO_TOPIC, "DO UPDATE SET ended = FALSE");
    }

    private static void insert(Connection connection, String stream, String topicId, String onConflict)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("""
                INSERT INTO cordwood_topics (stream, topic_id, ended) VALUES (?, ?, FALSE)
                ON CONFLICT (stream, topic_id)\s""" + onConflict)) {
            insert.setString(1, stream);
            insert.setString(2, topicId);
            insert.executeUpdate();
        }
    }

    private static Set<String> ended(Connection connection, String stream) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT topic_id FROM cordwood_topics WHERE stream = ? AND topic_id <> ? AND ended")) {
            select.setString(1, stream);
            select.setString(2, NO_TOPIC);
            Set<String> ids = new TreeSet<>();
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getString(1));
                }
            }
            return ids;
        }
    }
}
