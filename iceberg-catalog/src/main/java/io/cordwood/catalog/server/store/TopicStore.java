package io.cordwood.catalog.server.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import java.util.TreeSet;
import org.apache.iceberg.exceptions.CommitFailedException;

/**
 * The topics of each stream, by Kafka's id. At most one has not ended: a topic ends when the ingest job finds another
 * one, or none, under its name. Stateless.
 */
public final class TopicStore {
    /** Stands for an id if a stream has no topic. Its row exists to be locked. */
    private static final String NO_TOPIC = "";

    private TopicStore() {}

    /**
     * Ends all topics of the stream except its present one.
     *
     * @return ids of the ended topics
     * @throws CommitFailedException if the present topic has ended before: a lagging broker has told the caller of it
     */
    public static Set<String> setTopic(Connection connection, String stream, String topicId) throws SQLException {
        lock(connection, stream);
        if (ended(connection, stream).contains(topicId)) {
            throw new CommitFailedException(
                    "Stream '%s' has had another topic since the one with id %s: a broker lags behind the others, and the job asks again. If that goes on, see why the brokers disagree",
                    stream, topicId);
        }
        try (PreparedStatement end = connection.prepareStatement(
                "UPDATE cordwood_topics SET ended = TRUE WHERE stream = ? AND topic_id <> ?")) {
            end.setString(1, stream);
            end.setString(2, topicId);
            end.executeUpdate();
        }
        insert(connection, stream, topicId, false, "DO NOTHING");
        return ended(connection, stream);
    }

    /**
     * Ends topics of the stream that no longer exist. Others stay: one may have been created meanwhile.
     *
     * @return ids of the ended topics
     */
    public static Set<String> endTopics(Connection connection, String stream, Set<String> topicIds)
            throws SQLException {
        lock(connection, stream);
        for (String topicId : new TreeSet<>(topicIds)) {
            insert(connection, stream, topicId, true, "DO UPDATE SET ended = TRUE");
        }
        return ended(connection, stream);
    }

    /** Lets one caller at a time set the topic of a stream, until the end of the transaction. */
    private static void lock(Connection connection, String stream) throws SQLException {
        insert(connection, stream, NO_TOPIC, false, "DO UPDATE SET ended = FALSE");
    }

    private static void insert(Connection connection, String stream, String topicId, boolean ended, String onConflict)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("""
                INSERT INTO cordwood_topics (stream, topic_id, ended) VALUES (?, ?, ?)
                ON CONFLICT (stream, topic_id)\s""" + onConflict)) {
            insert.setString(1, stream);
            insert.setString(2, topicId);
            insert.setBoolean(3, ended);
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
