package io.cordwood.ingest.source;

import io.cordwood.ingest.runtime.IngestException;
import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.TopicConfig;

/** Checks of topic settings before the job reads the topics. Stateless. */
public final class TopicChecks {
    /** Suffix of the topic for records that cannot be decoded. */
    public static final String DEAD_LETTER_SUFFIX = ".dlq";

    /** Maximum size of a dead letter; larger ones are cut: a record of 16 MB and its headers. */
    public static final int MAX_DEAD_LETTER_BYTES = 20 << 20;

    private TopicChecks() {}

    /**
     * Checks the topics' settings, and creates the dead-letter topics that are missing.
     *
     * @param minRetention the minimum that Kafka must keep
     * @throws IngestException if a topic does not exist or has a setting that would lose rows
     */
    public static void check(TopicAdmin admin, Collection<String> topics, MinRetention minRetention) {
        for (Map.Entry<String, TopicDescription> topic : admin.describe(topics).entrySet()) {
            check(topic.getKey(), admin.config(topic.getKey()), minRetention);
            int replicas = topic.getValue().partitions().get(0).replicas().size();
            String deadLetters = topic.getKey() + DEAD_LETTER_SUFFIX;
            Config config = admin.createIfAbsent(new NewTopic(deadLetters, 1, (short) replicas)
                    .configs(Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(MAX_DEAD_LETTER_BYTES))));
            checkDeadLetters(deadLetters, config);
        }
    }

    static void checkDeadLetters(String topic, Config config) {
        long maxBytes = Long.parseLong(value(config, TopicConfig.MAX_MESSAGE_BYTES_CONFIG));
        if (maxBytes < MAX_DEAD_LETTER_BYTES) {
            throw new IngestException(
                    "Topic '%s' has %s=%d; it must be at least %d, because a large dead letter would stop the job; change it with kafka-configs --alter"
                            .formatted(topic, TopicConfig.MAX_MESSAGE_BYTES_CONFIG, maxBytes, MAX_DEAD_LETTER_BYTES));
        }
    }

    /**
     * Checks a topic's settings.
     *
     * @throws IngestException if one would lose rows
     */
    static void check(String topic, Config config, MinRetention minRetention) {
        requireValue(topic, config, TopicConfig.CLEANUP_POLICY_CONFIG, "delete", "compaction would drop rows");
        requireValue(
                topic,
                config,
                TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
                "LogAppendTime",
                "the acceptance window and the age of unarchived rows are measured against the append time");
        requireValue(
                topic,
                config,
                TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG,
                "false",
                "a leader that lacks records would lose acknowledged ones and reuse their offsets");
        requireMore(
                topic,
                config,
                TopicConfig.RETENTION_MS_CONFIG,
                minRetention.time().toMillis(),
                ", but a row may wait %d ms in a buffer and through an outage; raise retention.ms, or lower --max-age or --outage-budget");
        // Kafka deletes a segment once the others hold this many bytes, so that it always keeps them. Local retention
        // of tiered storage deletes nothing that becomes unreadable.
        requireMore(
                topic,
                config,
                TopicConfig.RETENTION_BYTES_CONFIG,
                minRetention.bytes(),
                " for each partition, but %d bytes may be read past a row before it is in its table; set retention.bytes=-1, raise it, or lower --max-lag");
    }

    /** Requires that a setting is negative, which means no limit, or larger than the minimum. */
    private static void requireMore(String topic, Config config, String name, long min, String reason) {
        long found = Long.parseLong(value(config, name));
        if (found >= 0 && found <= min) {
            throw new IngestException("Topic '%s' has %s=%d%s".formatted(topic, name, found, reason.formatted(min)));
        }
    }

    /** The bytes that Kafka keeps of each partition; negative without a limit. */
    static long retentionBytes(Config config) {
        return Long.parseLong(value(config, TopicConfig.RETENTION_BYTES_CONFIG));
    }

    private static void requireValue(String topic, Config config, String name, String required, String reason) {
        String found = value(config, name);
        if (!required.equals(found)) {
            throw new IngestException(
                    "Topic '%s' has %s=%s; it must be %s, because %s; change it with kafka-configs --alter"
                            .formatted(topic, name, found, required, reason));
        }
    }

    private static String value(Config config, String name) {
        return config.get(name).value();
    }
}
