package io.cordwood.hot;

import io.cordwood.hot.HotTierException.Kind;
import io.cordwood.hot.fetch.BoundedFetches;
import io.cordwood.hot.fetch.BoundedPoll;
import io.cordwood.hot.log.LogVersion;
import java.io.Closeable;
import java.time.Duration;
import java.time.Instant;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hot tier's access to Kafka: log ends, and a pool of consumers. Thread-safe.
 *
 * <p>After the clock was set back, the next query gets new clients; {@link ClockWatch} explains why.
 */
final class KafkaLogs implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaLogs.class);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_IDLE = 16;
    /** Time for the end of a topic that may have been deleted since it was described. */
    private static final Duration QUICK_TIMEOUT = Duration.ofSeconds(1);
    /** Limit for a topic that is recreated repeatedly while its offsets are read. */
    private static final int ATTEMPTS = 5;

    /** A topic as Kafka last described it. */
    private record Topic(String id, int partitions) {}

    private final Properties properties;
    private final ClockWatch clock;
    private final Map<Fetch, BlockingDeque<KafkaConsumer<byte[], byte[]>>> idle = new EnumMap<>(Fetch.class);
    private final AtomicInteger consumers = new AtomicInteger();
    /** Consumers created since the clock was last set back, if it was. */
    private final Set<KafkaConsumer<byte[], byte[]>> trusted = ConcurrentHashMap.newKeySet();

    /** The last description of each stream's topic. */
    private final Map<String, Topic> described = new ConcurrentHashMap<>();

    private Admin admin;
    private volatile boolean closed;

    /**
     * Connects to Kafka.
     *
     * @param properties Kafka client properties, {@code bootstrap.servers} among them
     * @param clock the clock of Kafka's clients
     */
    KafkaLogs(Properties properties, ClockWatch clock) {
        this.clock = clock;
        this.properties = new Properties();
        this.properties.putAll(properties);
        this.properties.remove(ConsumerConfig.GROUP_ID_CONFIG);
        // With many short-lived clients, beans of the same name would collide
        this.properties.setProperty(CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG, "");
        this.properties.setProperty(
                CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, Long.toString(TIMEOUT.toMillis()));
        // Short, to leave time for another broker
        this.properties.setProperty(
                CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, Long.toString(REQUEST_TIMEOUT.toMillis()));
        this.properties.setProperty(CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, "1000");
        this.properties.setProperty(CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG, "2000");
        this.properties.setProperty(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
        for (Fetch fetch : Fetch.values()) {
            idle.put(fetch, new LinkedBlockingDeque<>(MAX_IDLE));
        }
        this.admin = newAdmin();
    }

    private Admin newAdmin() {
        return withOwnClasses(() -> Admin.create(properties));
    }

    /** A client that does not wait for the old time after the clock was set back. */
    private Admin admin() {
        return withoutSetBack(() -> admin);
    }

    private synchronized <T> T withoutSetBack(Creation<T> use) {
        clock.setBack().ifPresent(back -> {
            LOG.warn("The clock was set back by {}: reconnecting to Kafka", back);
            Admin before = admin;
            admin = newAdmin();
            before.close(Duration.ZERO);
            trusted.clear();
            discardIdle();
        });
        return use.create();
    }

    String servers() {
        return properties.getProperty(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG);
    }

    /** The current end of the stream's log; empty if the topic does not exist. */
    Optional<LogEnds> end(String stream) {
        return knownEnds(stream)
                .or(() -> find(stream, topic -> ends(stream, topic)))
                .map(found -> {
                    Map<Integer, Long> ends = new HashMap<>();
                    Map<Integer, Integer> leaderEpochs = new HashMap<>();
                    found.offsets().forEach((partition, end) -> {
                        ends.put(partition, end.offset());
                        end.leaderEpoch().ifPresent(epoch -> leaderEpochs.put(partition, epoch));
                    });
                    return new LogEnds(stream, new LogVersion(found.topicId(), leaderEpochs), ends);
                });
    }

    /**
     * The ends of the topic as it was last described, if the same topic exists afterwards: ids are never used again, so
     * there was no other one in between. This saves a request. Empty if the ends must be found otherwise.
     */
    private Optional<Found<ListOffsetsResultInfo>> knownEnds(String stream) {
        Topic known = described.get(stream);
        if (known == null) {
            return Optional.empty();
        }
        try {
            Map<Integer, ListOffsetsResultInfo> ends = listEnds(stream, known, QUICK_TIMEOUT);
            return describe(stream).equals(Optional.of(known))
                    ? Optional.of(new Found<>(known.id(), ends))
                    : Optional.empty();
        } catch (ExecutionException | TimeoutException e) {
            described.remove(stream);
            LOG.debug("The topic of stream '{}' is described again", stream, e);
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable("find where topic '%s' ends".formatted(stream), e);
        }
    }

    /** Last stable offsets, each with the epoch of the leader that reported it. */
    private Map<Integer, ListOffsetsResultInfo> listEnds(String stream, Topic topic, Duration timeout)
            throws ExecutionException, TimeoutException, InterruptedException {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        for (int partition = 0; partition < topic.partitions(); partition++) {
            asked.put(new TopicPartition(stream, partition), OffsetSpec.latest());
        }
        Map<Integer, ListOffsetsResultInfo> ends = new HashMap<>();
        ListOffsetsOptions options =
                new ListOffsetsOptions(IsolationLevel.READ_COMMITTED).timeoutMs((int) timeout.toMillis());
        admin().listOffsets(asked, options)
                .all()
                .get(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .forEach((partition, end) -> ends.put(partition.partition(), end));
        return ends;
    }

    /** The same; empty if the topic no longer exists. */
    private Optional<Map<Integer, ListOffsetsResultInfo>> ends(String stream, Topic topic) {
        String what = "find where topic '%s' ends".formatted(stream);
        try {
            return Optional.of(listEnds(stream, topic, TIMEOUT));
        } catch (ExecutionException e) {
            return goneOr(stream, topic, what, e.getCause());
        } catch (TimeoutException e) {
            return goneOr(stream, topic, what, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable(what, e);
        }
    }

    /** Empty if the topic is gone. Kafka's client reports partitions of a deleted topic only by a timeout. */
    private <T> Optional<T> goneOr(String stream, Topic topic, String what, Throwable failure) {
        boolean isTimeout = failure instanceof TimeoutException
                || failure instanceof org.apache.kafka.common.errors.TimeoutException;
        if (failure instanceof UnknownTopicOrPartitionException
                || (isTimeout && !describe(stream).equals(Optional.of(topic)))) {
            return Optional.empty();
        }
        throw unavailable(what, failure);
    }

    /** The current beginning of the stream's log; empty if the topic does not exist. */
    Optional<LogOffsets> begin(String stream) {
        return offsets(stream, (consumer, asked) -> consumer.beginningOffsets(asked, TIMEOUT), "begins");
    }

    /**
     * The offsets of the first records that Kafka appended at this time or later; empty if the topic does not exist.
     */
    Optional<LogOffsets> since(String stream, Instant time) {
        return offsets(
                stream, (consumer, asked) -> since(consumer, asked, time), "stood at %s".formatted(time.toString()));
    }

    // For a consumer of committed records these are the last stable offsets
    private static Map<TopicPartition, Long> ends(
            KafkaConsumer<byte[], byte[]> consumer, Set<TopicPartition> partitions) {
        return consumer.endOffsets(partitions, TIMEOUT);
    }

    private static Map<TopicPartition, Long> since(
            KafkaConsumer<byte[], byte[]> consumer, Set<TopicPartition> partitions, Instant time) {
        // Ends come before times: records appended in between are then read, not skipped
        Map<TopicPartition, Long> offsets = new HashMap<>(ends(consumer, partitions));
        Map<TopicPartition, Long> times = new HashMap<>();
        partitions.forEach(partition -> times.put(partition, time.toEpochMilli()));
        consumer.offsetsForTimes(times, TIMEOUT).forEach((partition, first) -> {
            if (first != null) {
                offsets.put(partition, first.offset());
            }
        });
        return offsets;
    }

    /** Looks up offsets of partitions. */
    private interface Lookup {
        Map<TopicPartition, Long> find(KafkaConsumer<byte[], byte[]> consumer, Set<TopicPartition> partitions);
    }

    private Optional<LogOffsets> offsets(String stream, Lookup lookup, String what) {
        return find(stream, topic -> offsets(stream, topic, lookup, what))
                .map(found -> new LogOffsets(found.topicId(), found.offsets()));
    }

    /** The result of a lookup, by partition of a topic. */
    private record Found<T>(String topicId, Map<Integer, T> offsets) {}

    /** Looks up all partitions, and checks that the topic and its partitions are the same before and after. */
    private <T> Optional<Found<T>> find(String stream, Function<Topic, Optional<Map<Integer, T>>> lookup) {
        Optional<Topic> topic = describe(stream);
        for (int attempt = 0; attempt < ATTEMPTS && topic.isPresent(); attempt++) {
            Optional<Map<Integer, T>> offsets = lookup.apply(topic.get());
            Optional<Topic> after = describe(stream);
            if (offsets.isPresent() && after.equals(topic)) {
                return Optional.of(new Found<>(topic.get().id(), offsets.get()));
            }
            topic = after;
        }
        if (topic.isPresent()) {
            throw new HotTierException(
                    Kind.UNAVAILABLE,
                    "Topic '%s' at %s changes while its offsets are read; run the query again"
                            .formatted(stream, servers()));
        }
        return Optional.empty();
    }

    /** Offsets by partition; empty if the topic has changed meanwhile. */
    private Optional<Map<Integer, Long>> offsets(String stream, Topic topic, Lookup lookup, String what) {
        Set<TopicPartition> asked = new LinkedHashSet<>();
        for (int partition = 0; partition < topic.partitions(); partition++) {
            asked.add(new TopicPartition(stream, partition));
        }
        KafkaConsumer<byte[], byte[]> consumer = borrow(Fetch.SINGLE_RECORDS);
        try {
            // The client keeps leader epochs only for assigned partitions
            consumer.assign(asked);
            Map<Integer, Long> offsets = new HashMap<>();
            lookup.find(consumer, asked).forEach((partition, offset) -> offsets.put(partition.partition(), offset));
            giveBack(consumer, Fetch.SINGLE_RECORDS);
            return offsets.size() == topic.partitions() ? Optional.of(offsets) : Optional.empty();
        } catch (UnknownTopicOrPartitionException e) {
            discard(consumer);
            return Optional.empty();
        } catch (KafkaException e) {
            discard(consumer);
            return goneOr(stream, topic, "find where topic '%s' %s".formatted(stream, what), e);
        }
    }

    /** The topic's id; empty if the topic does not exist. */
    Optional<String> topicId(String stream) {
        return describe(stream).map(Topic::id);
    }

    private Optional<Topic> describe(String stream) {
        try {
            TopicDescription topic = admin().describeTopics(List.of(stream))
                    .topicNameValues()
                    .get(stream)
                    .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            Topic found =
                    new Topic(topic.topicId().toString(), topic.partitions().size());
            described.put(stream, found);
            return Optional.of(found);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                described.remove(stream);
                return Optional.empty();
            }
            throw unavailable("look up topic '%s'".formatted(stream), e.getCause());
        } catch (TimeoutException e) {
            throw unavailable("look up topic '%s'".formatted(stream), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable("look up topic '%s'".formatted(stream), e);
        }
    }

    HotTierException unavailable(String what, Throwable cause) {
        String why = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        return new HotTierException(
                Kind.UNAVAILABLE, "Kafka at %s: cannot %s: %s".formatted(servers(), what, why), cause);
    }

    /** A consumer of committed records, in an arbitrary state of assignment. */
    KafkaConsumer<byte[], byte[]> borrow(Fetch fetch) {
        KafkaConsumer<byte[], byte[]> kept =
                withoutSetBack(() -> idle.get(fetch).pollFirst());
        if (kept != null) {
            return kept;
        }
        KafkaConsumer<byte[], byte[]> made = newConsumer(fetch);
        trusted.add(made);
        return made;
    }

    private KafkaConsumer<byte[], byte[]> newConsumer(Fetch fetch) {
        Properties own = new Properties();
        own.putAll(properties);
        own.setProperty(ConsumerConfig.CLIENT_ID_CONFIG, "cordwood-hot-" + consumers.incrementAndGet());
        own.setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        own.setProperty(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        own.setProperty(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        own.setProperty(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        own.setProperty(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "2000");
        own.setProperty(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, Integer.toString(fetch.partitionBytes()));
        own.setProperty(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, Integer.toString(fetch.totalBytes()));
        // The requested records already exist
        own.setProperty(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, "100");
        BoundedPoll.properties(own.getProperty(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG, ""))
                .forEach(own::setProperty);
        return withOwnClasses(() -> BoundedFetches.bounded(new KafkaConsumer<byte[], byte[]>(own)));
    }

    /** Returns a consumer to the pool. */
    void giveBack(KafkaConsumer<byte[], byte[]> consumer, Fetch fetch) {
        // Drops prefetched records: they are useless, and the topic may be recreated before the next use
        consumer.unsubscribe();
        boolean isKept = withoutSetBack(
                () -> !closed && trusted.contains(consumer) && idle.get(fetch).offerFirst(consumer));
        if (!isKept) {
            discard(consumer);
        }
    }

    /** Closes a consumer that failed, or whose query was interrupted. */
    void discard(KafkaConsumer<byte[], byte[]> consumer) {
        trusted.remove(consumer);
        try {
            consumer.close(CloseOptions.timeout(Duration.ZERO));
        } catch (KafkaException e) {
            LOG.debug("A consumer did not close cleanly", e);
        }
    }

    /**
     * Creates a client. Kafka's clients load classes through the thread's class loader, which in a server may belong to
     * any component.
     */
    private interface Creation<T> {
        T create();
    }

    private <T> T withOwnClasses(Creation<T> creation) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(KafkaLogs.class.getClassLoader());
        try {
            return creation.create();
        } catch (KafkaException e) {
            throw unavailable("create a client", e.getCause() == null ? e : e.getCause());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    public void close() {
        closed = true;
        discardIdle();
        admin().close(Duration.ofSeconds(1));
    }

    private void discardIdle() {
        for (Deque<KafkaConsumer<byte[], byte[]>> kept : idle.values()) {
            for (KafkaConsumer<byte[], byte[]> consumer = kept.pollFirst();
                    consumer != null;
                    consumer = kept.pollFirst()) {
                discard(consumer);
            }
        }
    }
}
