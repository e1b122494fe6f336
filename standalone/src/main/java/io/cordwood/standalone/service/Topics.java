package io.cordwood.standalone.service;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.home.ClientProperties;
import io.cordwood.standalone.process.ServiceSpec;
import io.cordwood.standalone.secret.Account;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * The topics of a stack's streams, created if they do not exist. The ingest job creates the dead-letter topics.
 * Thread-safe.
 *
 * @param bootstrapServers addresses of Kafka
 * @param client further properties of the Kafka client
 * @param streams the streams
 * @param partitions number of partitions of a new topic
 */
record Topics(String bootstrapServers, Properties client, List<String> streams, int partitions) {
    /** Records of 16 MB plus Kafka's overhead. */
    static final int LARGEST_BATCH_BYTES = (16 << 20) + (64 << 10);

    private static final Duration RETENTION = Duration.ofDays(7);
    private static final int TIMEOUT_MILLIS = 30_000;

    /** Of a stack: as the admin of its own Kafka, or with the properties that the user gave. */
    static Topics ofStack(String bootstrapServers, StackOptions options) {
        return new Topics(
                bootstrapServers,
                options.secrets()
                        // A stack outlives its first passwords
                        .map(secrets -> secrets.kafkaClient(Account.ADMIN))
                        .or(() -> options.kafkaProperties().map(ClientProperties::load))
                        .orElseGet(Properties::new),
                options.streams(),
                options.partitions());
    }

    /**
     * Of a service alone.
     *
     * @param account as whom to create them, in a lake with authentication
     */
    static Topics of(String bootstrapServers, StackOptions options, Account account) {
        return new Topics(
                bootstrapServers,
                options.kafkaProperties(account).map(ClientProperties::load).orElseGet(Properties::new),
                options.streams(),
                options.partitions());
    }

    /**
     * Whether Kafka answers.
     *
     * @param refused called if Kafka does not accept the login of this client
     */
    boolean brokerAnswers(ServiceSpec.WhenReady refused) throws IOException, InterruptedException {
        try (Admin admin = admin(3_000)) {
            return !admin.describeCluster().nodes().get().isEmpty();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SaslAuthenticationException) {
                refused.run();
            }
            throw new IOException("Kafka does not answer at " + bootstrapServers, e);
        }
    }

    void create() throws IOException, InterruptedException {
        try (Admin admin = admin()) {
            Set<String> there = admin.listTopics().names().get();
            List<NewTopic> missing = streams.stream()
                    .filter(stream -> !there.contains(stream))
                    .map(stream -> topic(stream, partitions))
                    .toList();
            admin.createTopics(missing).all().get();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw new IOException("cannot create the topics: " + Errors.text(e.getCause()), e);
            }
        }
    }

    /** Creates the topics in an external Kafka. @throws CordwoodException if it does not answer */
    void createInExternalKafka() throws InterruptedException {
        try {
            create();
        } catch (IOException e) {
            throw new CordwoodException("Kafka at %s: %s".formatted(bootstrapServers, Errors.text(e)), e);
        }
    }

    private static NewTopic topic(String name, int partitions) {
        // The append time is the clock of the acceptance window; a compacted topic would lose rows.
        return new NewTopic(name, Optional.of(partitions), Optional.empty())
                .configs(Map.of(
                        TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
                        "LogAppendTime",
                        TopicConfig.CLEANUP_POLICY_CONFIG,
                        TopicConfig.CLEANUP_POLICY_DELETE,
                        TopicConfig.RETENTION_MS_CONFIG,
                        Long.toString(RETENTION.toMillis()),
                        TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                        Integer.toString(LARGEST_BATCH_BYTES)));
    }

    /** A client for changes; the caller closes it. */
    Admin admin() {
        return admin(TIMEOUT_MILLIS);
    }

    private Admin admin(int timeoutMillis) {
        Properties properties = new Properties();
        properties.putAll(client);
        properties.put("bootstrap.servers", bootstrapServers);
        properties.put("request.timeout.ms", timeoutMillis);
        properties.put("default.api.timeout.ms", timeoutMillis);
        return Admin.create(properties);
    }
}
