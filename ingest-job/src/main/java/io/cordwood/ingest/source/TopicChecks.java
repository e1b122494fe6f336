package io.cordwood.ingest.source;

import io.cordwood.ingest.IngestException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.TopicConfig;

/** What must hold of topics before the job reads them. Stateless. */
public final class TopicChecks {
    /** Suffix of the topic that takes what cannot be decoded. */
    public static final String DEAD_LETTER_SUFFIX = ".dlq";

    /** Largest dead letter, which is cut to it: a record of 16 MB and its headers. */
    public static final int MAX_DEAD_LETTER_BYTES = 20 << 20;

    private TopicChecks() {}

    /**
     * Checks the topics' settings, and creates the dead-letter topics that are missing.
     *
     * @param minRetention how long Kafka must keep a record: the maximum age of a buffer and the outage budget
     * @throws IngestException if a topic does not exist or has a setting that would lose rows
     */
    public static void check(TopicAdmin admin, Collection<String> topics, Duration minRetention) {
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

    static void check(String topic, Config config, Duration minRetention) {
        requireValue(topic, config, TopicConfig.CLEANUP_POLICY_CONFIG, "delete", "compaction would drop rows");
        requireValue(
                topic,
                config,
                TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
                "LogAppendTime",
                "the acceptance window and the age of what is not archived are measured against the append time");
        requireValue(
                topic,
                config,
                TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG,
                "false",
                "a leader that lacks records would take acknowledged ones back and give their offsets to others");
        long retentionMillis = Long.parseLong(value(config, TopicConfig.RETENTION_MS_CONFIG));
        if (retentionMillis >= 0 && retentionMillis <= minRetention.toMillis()) {
            throw new IngestException(
                    "Topic '%s' has %s=%d, but a row may wait %d ms in a buffer and through an outage; raise %s, or lower --max-age or --outage-budget"
                            .formatted(
                                    topic,
                                    TopicConfig.RETENTION_MS_CONFIG,
                                    retentionMillis,
                                    minRetention.toMillis(),
                                    TopicConfig.RETENTION_MS_CONFIG));
        }
    }

    private static void requireValue(String topic, Config config, String name, String wanted, String reason) {
        String found = value(config, name);
        if (!wanted.equals(found)) {
            throw new IngestException(
                    "Topic '%s' has %s=%s; it must be %s, because %s; change it with kafka-configs --alter"
                            .formatted(topic, name, found, wanted, reason));
        }
    }

    private static String value(Config config, String name) {
        return config.get(name).value();
    }
}
