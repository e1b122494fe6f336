package io.cordwood.routing;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A Kafka partitioner that follows the routing table of the stream (LogStore, section 4.1). Thread-safe.
 *
 * <p>Set {@code partitioner.class} to this class and {@value #REDIS_URL} to the Redis that holds the tables. The tenant
 * is the record's key, as Kafka does not show headers to partitioners. A tenant without a route, and every tenant until
 * the first table is read, goes where Kafka's own partitioner would send it: by the murmur2 hash of the key. A record
 * without a key goes to any partition, the same for about one batch.
 */
public final class CordwoodPartitioner implements Partitioner {
    /** URL of the Redis that holds the routing tables, for example {@code redis://127.0.0.1:6379}. Required. */
    public static final String REDIS_URL = "cordwood.redis.url";

    private static final Logger LOG = LoggerFactory.getLogger(CordwoodPartitioner.class);
    private static final int DEFAULT_BATCH_BYTES = 16_384;
    /**
     * Upper bound of a run. Otherwise a slow tenant would stay on one partition for long; fast ones fill larger batches
     * anyway.
     */
    private static final int LONGEST_RUN_BYTES = 65_536;
    /** Approximate bytes of a record besides key and value. */
    private static final int RECORD_OVERHEAD_BYTES = 16;

    private final Map<String, StreamRouter> routers = new ConcurrentHashMap<>();
    private RoutingTableStore store;
    private int batchBytes = DEFAULT_BATCH_BYTES;

    @Override
    public void configure(Map<String, ?> configs) {
        Object url = configs.get(REDIS_URL);
        if (url == null) {
            throw new ConfigException("Missing required configuration '%s': the Redis that holds the routing tables"
                    .formatted(REDIS_URL));
        }
        try {
            store = new RoutingTableStore(URI.create(url.toString()));
        } catch (RuntimeException e) {
            throw new ConfigException(REDIS_URL, url, "It must have the form redis://host:port");
        }
        Object batch = configs.get(ProducerConfig.BATCH_SIZE_CONFIG);
        if (batch != null) {
            batchBytes = Math.max(1, Math.min(Integer.parseInt(batch.toString().trim()), LONGEST_RUN_BYTES));
        }
    }

    @Override
    public int partition(String topic, Object key, byte[] keyBytes, Object value, byte[] valueBytes, Cluster cluster) {
        StreamRouter router = routers.computeIfAbsent(topic, this::startRouter);
        int bytes = RECORD_OVERHEAD_BYTES + length(keyBytes) + length(valueBytes);
        if (keyBytes == null) {
            return router.keylessPartition(candidates(topic, cluster), bytes);
        }
        int partitions = cluster.partitionsForTopic(topic).size();
        return router.partition(keyBytes, bytes, partitions).orElseGet(() -> byHash(keyBytes, partitions));
    }

    private static int length(byte[] bytes) {
        return bytes == null ? 0 : bytes.length;
    }

    /** The partition by Kafka's default partitioner. */
    static int byHash(byte[] key, int partitions) {
        return Utils.toPositive(Utils.murmur2(key)) % partitions;
    }

    /** Partitions with a leader, or all if none has one. */
    private static int[] candidates(String topic, Cluster cluster) {
        List<PartitionInfo> available = cluster.availablePartitionsForTopic(topic);
        List<PartitionInfo> partitions = available.isEmpty() ? cluster.partitionsForTopic(topic) : available;
        return partitions.stream().mapToInt(PartitionInfo::partition).toArray();
    }

    private StreamRouter startRouter(String topic) {
        StreamRouter router = new StreamRouter(topic, batchBytes);
        try {
            // Read at once, so that the first records are routed too.
            store.read(topic).ifPresent(router::use);
        } catch (JedisException | IllegalArgumentException e) {
            LOG.warn("No routing table of stream '{}' yet; tenants go by the hash of their key", topic, e);
        }
        // Ends when the store is closed.
        @SuppressWarnings("unused")
        AutoCloseable following = store.follow(topic, router::use);
        return router;
    }

    /** Version of the table in use for a topic; 0 if there is none. */
    long version(String topic) {
        StreamRouter router = routers.get(topic);
        return router == null ? 0 : router.version();
    }

    @Override
    public void close() {
        if (store != null) {
            store.close();
        }
    }
}
