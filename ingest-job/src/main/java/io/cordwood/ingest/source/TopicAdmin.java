package io.cordwood.ingest.source;

import io.cordwood.ingest.runtime.IngestException;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * The job's requests to Kafka besides reading records. Thread-safe. Calls block, for up to a minute; an interrupt, as
 * for a cancelled task of Flink, ends them immediately.
 */
public final class TopicAdmin implements TopicIds {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final long POLL_MILLIS = 50;

    private final Duration timeout;
    private final Admin admin;
    private final String servers;

    /**
     * Connects to Kafka.
     *
     * @param properties Kafka client properties, {@code bootstrap.servers} among them
     */
    public TopicAdmin(Properties properties) {
        this(properties, TIMEOUT);
    }

    TopicAdmin(Properties properties, Duration timeout) {
        this.timeout = timeout;
        this.servers = properties.getProperty(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG);
        this.admin = Admin.create(properties);
    }

    /**
     * The current topics by name, with their partitions.
     *
     * @throws IngestException if one does not exist or Kafka cannot be reached
     */
    public Map<String, TopicDescription> describe(Collection<String> topics) {
        Map<String, TopicDescription> descriptions = new LinkedHashMap<>();
        admin.describeTopics(topics)
                .topicNameValues()
                .forEach(
                        (name, future) -> descriptions.put(name, await(future, "describe topic '%s'".formatted(name))));
        return descriptions;
    }

    /**
     * The existing ones among the topics, by name, with their partitions.
     *
     * @throws IngestException if Kafka cannot be reached
     */
    Map<String, TopicDescription> describeExisting(Collection<String> topics) {
        Map<String, TopicDescription> descriptions = new LinkedHashMap<>();
        admin.describeTopics(topics).topicNameValues().forEach((name, future) -> {
            try {
                descriptions.put(name, await(future, "describe topic '%s'".formatted(name)));
            } catch (IngestException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw e;
                }
            }
        });
        return descriptions;
    }

    /**
     * Whether a topic exists according to the controller, which, unlike the other brokers, never lags. The request asks
     * the controller whether it would create the topic.
     *
     * @throws IngestException if Kafka cannot be reached
     */
    boolean exists(String topic) {
        CreateTopicsOptions asked = new CreateTopicsOptions().validateOnly(true);
        try {
            admin.createTopics(List.of(new NewTopic(topic, Optional.empty(), Optional.empty())), asked)
                    .all()
                    .get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return false;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TopicExistsException) {
                return true;
            }
            if (e.getCause() instanceof AuthorizationException) {
                throw new IngestException(
                        "Kafka at %s: cannot find whether topic '%s' exists: only the controller knows for certain, and answers only clients that may create the topic; allow CREATE on this topic"
                                .formatted(servers, topic),
                        e.getCause());
            }
            throw failure("find whether topic '%s' exists".formatted(topic), e.getCause());
        } catch (TimeoutException e) {
            throw failure("find whether topic '%s' exists".formatted(topic), e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    @Override
    public Map<String, String> ids(Collection<String> topics) {
        Map<String, String> ids = new HashMap<>();
        describeExisting(topics)
                .forEach((name, topic) -> ids.put(name, topic.topicId().toString()));
        return ids;
    }

    /** First offsets that the logs still hold. */
    public Map<TopicPartition, Long> logStarts(Collection<TopicPartition> partitions) {
        return offsets(partitions, OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED, "find where the logs start");
    }

    /** Offsets after the last records. */
    Map<TopicPartition, Long> logEnds(Collection<TopicPartition> partitions) {
        return offsets(partitions, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED, "find where the logs end");
    }

    /** Last stable offsets. */
    Map<TopicPartition, Long> stableEnds(Collection<TopicPartition> partitions) {
        return offsets(
                partitions, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED, "find the logs' last stable offsets");
    }

    private Map<TopicPartition, Long> offsets(
            Collection<TopicPartition> partitions, OffsetSpec spec, IsolationLevel isolation, String what) {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        partitions.forEach(partition -> asked.put(partition, spec));
        Map<TopicPartition, ListOffsetsResultInfo> answer = await(
                admin.listOffsets(asked, new ListOffsetsOptions(isolation)).all(), what);
        Map<TopicPartition, Long> offsets = new HashMap<>();
        answer.forEach((partition, info) -> offsets.put(partition, info.offset()));
        return offsets;
    }

    /** Bytes of the logs of a topic's partitions; the largest size if replicas differ. */
    Map<TopicPartition, Long> logSizes(TopicDescription topic) {
        Set<Integer> brokers = new HashSet<>();
        topic.partitions().forEach(partition -> partition.replicas().forEach(broker -> brokers.add(broker.id())));
        Map<TopicPartition, Long> sizes = new HashMap<>();
        await(admin.describeLogDirs(brokers).allDescriptions(), "find how large the logs are")
                .values()
                .forEach(directories -> directories
                        .values()
                        .forEach(directory -> directory.replicaInfos().forEach((partition, replica) -> {
                            if (partition.topic().equals(topic.name())) {
                                sizes.merge(partition, replica.size(), Math::max);
                            }
                        })));
        return sizes;
    }

    /** The open transactions of a partition, in the order of their starts. */
    List<OpenTransaction> openTransactions(TopicPartition partition) {
        Map<Long, Long> starts = new HashMap<>();
        await(
                        admin.describeProducers(List.of(partition)).partitionResult(partition),
                        "find who writes to %s".formatted(partition))
                .activeProducers()
                .forEach(producer -> producer.currentTransactionStartOffset()
                        .ifPresent(start -> starts.put(producer.producerId(), start)));
        if (starts.isEmpty()) {
            return List.of();
        }
        Map<Long, String> names = new HashMap<>();
        ListTransactionsOptions ofThese = new ListTransactionsOptions().filterProducerIds(starts.keySet());
        await(admin.listTransactions(ofThese).all(), "find open transactions")
                .forEach(transaction -> names.put(transaction.producerId(), transaction.transactionalId()));
        return starts.entrySet().stream()
                .map(open -> new OpenTransaction(open.getKey(), names.getOrDefault(open.getKey(), ""), open.getValue()))
                .sorted(Comparator.comparingLong(OpenTransaction::start))
                .toList();
    }

    /** The configuration of a topic, including defaults of the broker. */
    Config config(String topic) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        return await(
                        admin.describeConfigs(List.of(resource)).all(),
                        "read the configuration of topic '%s'".formatted(topic))
                .get(resource);
    }

    /** Sets the committed offsets of a consumer group without members. */
    public void copyToGroup(String groupId, Map<TopicPartition, Long> offsets) {
        Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
        offsets.forEach((partition, offset) -> committed.put(partition, new OffsetAndMetadata(offset)));
        await(
                admin.alterConsumerGroupOffsets(groupId, committed).all(),
                "set the offsets of consumer group '%s'".formatted(groupId));
    }

    /**
     * Creates a topic unless it exists.
     *
     * @return its configuration. Waits for it, because a broker knows a topic only some time after the controller has
     *     created it
     * @throws IngestException if it cannot be created, or no broker knows it within the timeout
     */
    Config createIfAbsent(NewTopic topic) {
        try {
            admin.createTopics(List.of(topic)).all().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw failure("create topic '%s'".formatted(topic.name()), e.getCause());
            }
        } catch (TimeoutException e) {
            throw failure("create topic '%s'".formatted(topic.name()), e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        return awaitConfig(topic.name());
    }

    private Config awaitConfig(String topic) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            try {
                return config(topic);
            } catch (IngestException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw e;
                }
                if (System.nanoTime() > deadline) {
                    throw new IngestException(
                            "Kafka at %s: topic '%s' was created, but after %d s no broker knows it; check that the brokers reach their controller, then start again"
                                    .formatted(servers, topic, timeout.toSeconds()),
                            e);
                }
            }
            try {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
        }
    }

    private <T> T await(KafkaFuture<T> future, String what) {
        try {
            return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw failure(what, e.getCause());
        } catch (TimeoutException e) {
            throw failure(what, e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private IngestException failure(String what, Throwable cause) {
        if (cause instanceof UnknownTopicOrPartitionException) {
            return new IngestException(
                    "Kafka at %s: cannot %s: it does not exist; create it first".formatted(servers, what), cause);
        }
        String why = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        return new IngestException("Kafka at %s: cannot %s: %s".formatted(servers, what, why), cause);
    }

    private static IngestException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IngestException("Interrupted while waiting for Kafka", e);
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(5));
    }
}
