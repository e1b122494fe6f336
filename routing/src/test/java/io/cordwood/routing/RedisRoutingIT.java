package io.cordwood.routing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.cordwood.services.Waiting;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/** The store and the partitioner against a real Redis. */
@Timeout(60)
class RedisRoutingIT {
    private static final byte[] ACME = "acme".getBytes(UTF_8);

    private URI url;
    private Service redis;

    @BeforeEach
    void start() throws Exception {
        redis = TestServices.redis();
        url = URI.create(redis.url());
    }

    @AfterEach
    void stop() throws IOException {
        redis.close();
    }

    private static RoutingTable table(long version, int partition) {
        return new RoutingTable(version, "logs", Map.of("acme", List.of(new Route(partition, 1))));
    }

    @Test
    void writesAreReadBack() {
        try (RoutingTableStore store = new RoutingTableStore(url)) {
            assertThat(store.read("logs")).isEmpty();
            assertThat(store.write(table(1, 0))).isTrue();
            assertThat(store.read("logs")).contains(table(1, 0));
            assertThat(store.read("other")).isEmpty();
        }
        try (Jedis jedis = new Jedis(url)) {
            assertThat(jedis.get("cordwood:routes:logs"))
                    .isEqualTo(
                            "{\"version\":1,\"stream\":\"logs\",\"routes\":{\"acme\":[{\"partition\":0,\"weight\":1.0}]}}");
        }
    }

    @Test
    void onlyLaterVersionsAreWritten() {
        try (RoutingTableStore store = new RoutingTableStore(url)) {
            assertThat(store.write(table(5, 0))).isTrue();
            assertThat(store.write(table(5, 1))).isFalse();
            assertThat(store.write(table(4, 1))).isFalse();
            assertThat(store.write(table(10, 2))).isTrue();
            assertThat(store.read("logs")).contains(table(10, 2));
        }
    }

    @Test
    void whatIsNoTableIsOverwritten() {
        try (RoutingTableStore store = new RoutingTableStore(url);
                Jedis jedis = new Jedis(url)) {
            jedis.set("cordwood:routes:logs", "rubbish");
            assertThatThrownBy(() -> store.read("logs")).isInstanceOf(IllegalArgumentException.class);
            assertThat(store.write(table(1, 0))).isTrue();
            assertThat(store.read("logs")).contains(table(1, 0));
        }
    }

    @Test
    void ofWritersThatRaceTheLatestVersionWins() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (RoutingTableStore store = new RoutingTableStore(url)) {
            List<Future<Boolean>> writes = new ArrayList<>();
            for (int version = 1; version <= 1000; version++) {
                RoutingTable table = table(version, version);
                writes.add(threads.submit(() -> {
                    boolean current = store.write(table);
                    // It is there, or a later one: never an earlier one that was written over it.
                    assertThat(store.read("logs").orElseThrow().version()).isGreaterThanOrEqualTo(table.version());
                    return current;
                }));
            }
            int written = 0;
            for (Future<Boolean> write : writes) {
                written += write.get() ? 1 : 0;
            }
            assertThat(written).isPositive();
            assertThat(store.read("logs")).contains(table(1000, 1000));
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void followersGetTheCurrentTableAndThenLaterOnes() throws Exception {
        BlockingQueue<RoutingTable> seen = new LinkedBlockingQueue<>();
        try (RoutingTableStore store = new RoutingTableStore(url);
                RoutingTableStore writer = new RoutingTableStore(url)) {
            writer.write(table(1, 1));
            try (AutoCloseable following = store.follow("logs", seen::add)) {
                assertThat(next(seen)).isEqualTo(table(1, 1));
                for (int version = 2; version < 20; version++) {
                    writer.write(table(version, version));
                    assertThat(next(seen)).isEqualTo(table(version, version));
                }
                assertThat(following).isNotNull();
            }
        }
    }

    @Test
    void followersNeverGoBack() throws Exception {
        BlockingQueue<RoutingTable> seen = new LinkedBlockingQueue<>();
        try (RoutingTableStore store = new RoutingTableStore(url);
                Jedis jedis = new Jedis(url);
                AutoCloseable following = store.follow("logs", seen::add)) {
            store.write(table(5, 5));
            assertThat(next(seen)).isEqualTo(table(5, 5));
            // As after a failover to a replica that was behind.
            jedis.set("cordwood:routes:logs", RoutingTableParser.toJson(table(4, 4)));
            jedis.publish("cordwood:routes:logs", "4");
            store.write(table(6, 6));
            assertThat(next(seen)).isEqualTo(table(6, 6));
            store.write(table(7, 7));
            assertThat(next(seen)).isEqualTo(table(7, 7));
            assertThat(following).isNotNull();
        }
    }

    @Test
    void followersTakeAnEarlierVersionOfAnotherEpoch() throws Exception {
        BlockingQueue<RoutingTable> seen = new LinkedBlockingQueue<>();
        try (RoutingTableStore store = new RoutingTableStore(url);
                Jedis jedis = new Jedis(url);
                CordwoodPartitioner partitioner = partitioner();
                AutoCloseable following = store.follow("logs", seen::add)) {
            RoutingTable first = new RoutingTable("a", 5, "logs", table(5, 5).routes());
            RoutingTable second = new RoutingTable("b", 1, "logs", table(1, 1).routes());
            assertThat(store.write(first)).isTrue();
            assertThat(next(seen)).isEqualTo(first);
            assertThat(partition(partitioner, ACME)).isEqualTo(5);
            // Another epoch does not take the place of one that is there.
            assertThat(store.write(new RoutingTable("b", 9, "logs", Map.of()))).isFalse();
            // Redis loses its data, and the next writer starts again.
            jedis.flushAll();
            assertThat(store.write(second)).isTrue();
            assertThat(next(seen)).isEqualTo(second);
            Waiting.until("the partitioner follows", () -> partition(partitioner, ACME) == 1);
            assertThat(following).isNotNull();
        }
    }

    @Test
    void onlyTheHolderOfTheLeaseWrites() {
        try (RoutingTableStore store = new RoutingTableStore(url);
                Jedis jedis = new Jedis(url)) {
            assertThat(store.write(table(1, 1), "lease", "me")).isFalse();
            jedis.set("lease", "other");
            assertThat(store.write(table(1, 1), "lease", "me")).isFalse();
            assertThat(store.read("logs")).isEmpty();
            jedis.set("lease", "me");
            assertThat(store.write(table(1, 1), "lease", "me")).isTrue();
            assertThat(store.read("logs")).contains(table(1, 1));
        }
    }

    private static RoutingTable next(BlockingQueue<RoutingTable> seen) throws InterruptedException {
        RoutingTable table = seen.poll(30, TimeUnit.SECONDS);
        assertThat(table).as("a table within 30 s").isNotNull();
        return table;
    }

    @Test
    void followersOutliveAnOutageOfRedis() throws Exception {
        BlockingQueue<RoutingTable> seen = new LinkedBlockingQueue<>();
        try (RoutingTableStore store = new RoutingTableStore(url);
                AutoCloseable following = store.follow("logs", seen::add)) {
            store.write(table(1, 1));
            assertThat(next(seen)).isEqualTo(table(1, 1));
            redis.kill();
            assertThatThrownBy(() -> store.read("logs")).isInstanceOf(JedisException.class);
            redis.restart();
            try (RoutingTableStore writer = new RoutingTableStore(url)) {
                writer.write(table(2, 2));
            }
            assertThat(next(seen)).isEqualTo(table(2, 2));
            assertThat(following).isNotNull();
        }
    }

    private static Cluster cluster(int partitions) {
        Node node = new Node(1, "127.0.0.1", 9092);
        Node[] nodes = {node};
        List<PartitionInfo> infos = IntStream.range(0, partitions)
                .mapToObj(partition -> new PartitionInfo("logs", partition, node, nodes, nodes))
                .toList();
        return new Cluster("cluster", List.of(node), infos, Set.of(), Set.of());
    }

    private CordwoodPartitioner partitioner() {
        CordwoodPartitioner partitioner = new CordwoodPartitioner();
        partitioner.configure(
                Map.of(CordwoodPartitioner.REDIS_URL, url.toString(), ProducerConfig.BATCH_SIZE_CONFIG, "1000"));
        return partitioner;
    }

    private static int partition(CordwoodPartitioner partitioner, byte[] key) {
        return partitioner.partition("logs", key, key, null, new byte[100], cluster(12));
    }

    @Test
    void partitionerFollowsTheTable() throws Exception {
        try (RoutingTableStore store = new RoutingTableStore(url);
                CordwoodPartitioner partitioner = partitioner()) {
            store.write(table(1, 7));
            assertThat(partition(partitioner, ACME)).isEqualTo(7);
            byte[] other = "other".getBytes(UTF_8);
            assertThat(partition(partitioner, other)).isEqualTo(CordwoodPartitioner.byHash(other, 12));
            assertThat(partition(partitioner, null)).isBetween(0, 11);
            store.write(table(2, 4));
            Waiting.until("the partitioner follows", () -> partitioner.version("logs") == 2);
            assertThat(partition(partitioner, ACME)).isEqualTo(4);
            // The table stays in use while Redis is away.
            redis.kill();
            assertThat(partition(partitioner, ACME)).isEqualTo(4);
        }
    }

    @Test
    void partitionerWorksWithoutRedisAndFollowsItOnceItIsThere() throws Exception {
        redis.kill();
        try (CordwoodPartitioner partitioner = partitioner()) {
            assertThat(partition(partitioner, ACME)).isEqualTo(CordwoodPartitioner.byHash(ACME, 12));
            redis.restart();
            try (RoutingTableStore store = new RoutingTableStore(url)) {
                store.write(table(1, 7));
            }
            Waiting.until("the partitioner follows", () -> partitioner.version("logs") == 1);
            assertThat(partition(partitioner, ACME)).isEqualTo(7);
        }
    }

    @Test
    void partitionerNeedsAUrl() {
        try (CordwoodPartitioner partitioner = new CordwoodPartitioner()) {
            assertThatThrownBy(() -> partitioner.configure(Map.of()))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("cordwood.redis.url");
            assertThatThrownBy(() -> partitioner.configure(Map.of(CordwoodPartitioner.REDIS_URL, "nowhere")))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("redis://host:port");
        }
    }
}
