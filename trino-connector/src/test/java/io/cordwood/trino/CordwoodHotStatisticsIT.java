package io.cordwood.trino;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.hot.statistics.ChunkRecorder;
import io.cordwood.hot.statistics.PartitionEpoch;
import io.cordwood.hot.statistics.StatisticsStore;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.trino.Session;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.RedisClient;

/** Statistics of hot chunks spare reading and change no answer, whatever they cover and whatever becomes of Redis. */
class CordwoodHotStatisticsIT {
    private static final int CHUNK = 8192;

    @TempDir
    private static Path home;

    private static Service kafka;
    private static CordwoodQueryRunner runner;

    @BeforeAll
    static void start() throws Exception {
        kafka = TestServices.kafka();
        runner = CordwoodQueryRunner.start(home, Map.of());
    }

    @AfterAll
    static void stop() throws Exception {
        runner.close();
        kafka.close();
    }

    /** A catalog of one stream with a Redis of its own, because each test ends its Redis. */
    private static void addCatalog(String catalog, Service redis, String stream) {
        runner.addCatalog(
                catalog,
                Map.of(
                        "cordwood.kafka-bootstrap-servers",
                        kafka.address(),
                        "cordwood.redis-uri",
                        redis.url(),
                        "cordwood.hot-statistics-interval",
                        "0s",
                        "cordwood.streams",
                        stream));
    }

    @Test
    void statisticsSpareReadingAndChangeNoAnswer() throws Exception {
        try (Service redis = TestServices.redis();
                SampleTopic topic = SampleTopic.create(kafka, "logs", 1);
                StatisticsStore store = new StatisticsStore(URI.create(redis.url()))) {
            addCatalog("chunks", redis, "logs");
            PartitionEpoch partition = new PartitionEpoch(new PartitionId(topic.id(), 0), 0);
            List<ColumnDefinition> columns = List.of(ColumnDefinition.of("n", ColumnType.BIGINT));
            runner.catalog().ensureTable("big", "logs", columns);
            runner.catalog().ensureTable("small", "logs", columns);
            ChunkRecorder recorder = new ChunkRecorder(0, 0);
            Random random = new Random(11);
            long offset = 0;
            long small = 0;
            for (int batch = 0; batch < 5; batch++) {
                List<SampleRow> rows = rows(offset, CHUNK + random.nextInt(500));
                topic.send("big", 0, rows);
                for (SampleRow row : rows) {
                    recorder.rows("big", offset++, 1, row.micros(), row.micros());
                }
                if (batch % 2 == 0) {
                    SampleRow row = new SampleRow(SampleLogs.START_MICROS + batch, Map.of("n", (long) batch));
                    topic.send("small", 0, List.of(row));
                    recorder.rows("small", offset++, 1, row.micros(), row.micros());
                    small++;
                }
            }
            store.put("logs", partition, recorder.takeNews());
            // What it noted under another leader is of other records, and says that nobody has any
            ChunkRecorder ofOthers = new ChunkRecorder(0, 0);
            ofOthers.advance(offset);
            store.put("logs", new PartitionEpoch(partition.partition(), 1), ofOthers.takeNews());
            // Of what came since nothing is known
            topic.send("small", 0, rows(0, 7));

            String sql = "SELECT count(*), sum(n) FROM chunks.%s.logs";
            String ofSmall = sql.formatted("small");
            String ofBig = sql.formatted("big")
                    + " WHERE ts BETWEEN TIMESTAMP '2026-01-10 00:00:20 UTC' AND TIMESTAMP '2026-01-10 00:00:30 UTC'";
            String ofAll = sql.formatted("all_tenants").replace("sum(n)", "count(DISTINCT tenant_id)");
            Session unpruned = unpruned("chunks");
            List<List<Object>> expectedOfSmall = runner.rows(unpruned, ofSmall);
            List<List<Object>> expectedOfBig = runner.rows(unpruned, ofBig);
            assertThat(expectedOfSmall.getFirst().getFirst()).isEqualTo(small + 7);

            Map<String, Long> pruned = ScanMetrics.of(runner, uncached("chunks"), ofSmall);
            assertThat(pruned.get("hot chunks considered")).isEqualTo(6);
            assertThat(pruned.get("hot chunks pruned by statistics")).isPositive();
            assertThat(pruned.get("hot records read")).isLessThan(200);
            assertThat(ScanMetrics.of(runner, unpruned, ofSmall).get("hot records read"))
                    .isEqualTo(offset + 7);
            assertThat(ScanMetrics.of(runner, uncached("chunks"), ofBig).get("hot records read"))
                    .isLessThan(3L * CHUNK);

            String newest = "SELECT n FROM chunks.big.logs ORDER BY ts DESC LIMIT 10";
            assertThat(runner.rows(newest)).isEqualTo(runner.rows(unpruned, newest));
            String oldest = "SELECT n FROM chunks.big.logs ORDER BY ts LIMIT 10";
            assertThat(runner.rows(oldest)).isEqualTo(runner.rows(unpruned, oldest));

            assertAnswers(ofSmall, expectedOfSmall, ofBig, expectedOfBig);
            assertThat(runner.rows(ofAll)).containsExactly(List.of(offset + 7, 2L));

            // The chunk has grown, and not by rows of the small tenant
            for (long n = 0; n < 7; n++) {
                recorder.rows(
                        "small", offset++, 1, SampleLogs.START_MICROS + n * 1000, SampleLogs.START_MICROS + n * 1000);
            }
            for (int round = 0; round < 3; round++) {
                topic.send("big", 0, rows(0, 100));
                for (long n = 0; n < 100; n++) {
                    recorder.rows(
                            "big", offset++, 1, SampleLogs.START_MICROS + n * 1000, SampleLogs.START_MICROS + n * 1000);
                }
                store.put("logs", partition, recorder.takeNews());
                assertThat(runner.rows(ofSmall)).isEqualTo(expectedOfSmall);
            }

            // Damaged, then gone, then Redis itself is gone
            try (RedisClient garbage = RedisClient.create(URI.create(redis.url()))) {
                String key = garbage.keys("cordwood:hot:*").iterator().next();
                garbage.hset(key, "1", "garbage");
                assertAnswers(ofSmall, expectedOfSmall, ofBig, expectedOfBig);
                garbage.flushAll();
                assertAnswers(ofSmall, expectedOfSmall, ofBig, expectedOfBig);
            }
            redis.kill();
            topic.send("small", 0, rows(0, 1));
            assertThat(runner.rows(ofSmall).getFirst().getFirst()).isEqualTo(small + 8);
            assertThat(runner.rows(ofBig)).isEqualTo(expectedOfBig);
        }
    }

    @Test
    void columnsSpareReadingAndChangeNoAnswer() throws Exception {
        try (Service redis = TestServices.redis();
                SampleTopic topic = SampleTopic.create(kafka, "indexed", 1);
                StatisticsStore store = new StatisticsStore(URI.create(redis.url()))) {
            addCatalog("hot_columns", redis, "indexed");
            PartitionEpoch partition = new PartitionEpoch(new PartitionId(topic.id(), 0), 0);
            runner.catalog()
                    .ensureTable(
                            "big",
                            "indexed",
                            List.of(
                                    ColumnDefinition.of("n", ColumnType.BIGINT),
                                    ColumnDefinition.keyword("id"),
                                    ColumnDefinition.text("message")));
            ChunkRecorder recorder = new ChunkRecorder(0, 0);
            recorder.takeColumns(Set.of("big"));
            List<SampleRow> rows = new ArrayList<>();
            for (long n = 0; n < 3L * CHUNK + 1000; n++) {
                String id = "id-" + n;
                String message = "request %s took a while".formatted(Long.toHexString(n * 0x9E3779B97F4A7C15L));
                rows.add(new SampleRow(
                        SampleLogs.START_MICROS + n * 1000, Map.of("n", n, "id", id, "message", message)));
                long number = n;
                recorder.observer("big", n).ifPresent(observer -> {
                    observer.integer("n", number);
                    observer.text("id", false, id.getBytes(UTF_8), 0, id.length());
                    observer.text("message", true, message.getBytes(UTF_8), 0, message.length());
                });
                recorder.rows("big", n, 1, SampleLogs.START_MICROS + n * 1000, SampleLogs.START_MICROS + n * 1000);
            }
            topic.send("big", 0, rows);
            store.put("indexed", partition, recorder.takeNews());
            store.putColumns("indexed", partition, recorder.takeColumns(Set.of("big")));

            long last = 2L * CHUNK + 77;
            String select = "SELECT count(*), min(n), max(n) FROM hot_columns.big.indexed WHERE ";
            List<String> conditions = List.of(
                    "n = " + last,
                    "n BETWEEN %d AND %d".formatted(CHUNK + 10, CHUNK + 20),
                    "id = 'ID-%d'".formatted(last),
                    "id = 'id-%d'".formatted(last),
                    "match(id, 'ID-%d')".formatted(last),
                    "match(message, '%s')".formatted(Long.toHexString(last * 0x9E3779B97F4A7C15L)),
                    "match(message, '%s OR absent')".formatted(Long.toHexString(last * 0x9E3779B97F4A7C15L)),
                    "match(message, 'absent')",
                    "message LIKE '% absent %' OR n > " + (3 * CHUNK + 990),
                    "NOT match(message, 'absent') AND n < 100");
            for (String condition : conditions) {
                String sql = select + condition;
                List<List<Object>> expected = runner.rows(unpruned("hot_columns"), sql);
                assertThat(runner.rows(uncached("hot_columns"), sql))
                        .as(condition)
                        .isEqualTo(expected);
                assertThat(runner.rows(sql)).as(condition).isEqualTo(expected);
                assertThat(runner.rows(sql)).as(condition).isEqualTo(expected);
                assertThat(ScanMetrics.of(runner, uncached("hot_columns"), sql).get("hot chunks pruned by columns"))
                        .as(condition)
                        .isPositive();
            }
            // Columns of the first chunk are not known, of others they are but for a false positive
            assertThat(ScanMetrics.of(runner, uncached("hot_columns"), select + "n < 0")
                            .get("hot chunks read"))
                    .isEqualTo(1);
            assertThat(store.asked("indexed", Instant.EPOCH)).containsExactly("big");

            String needle = select + "id = 'id-%d'".formatted(last);
            List<List<Object>> expected = runner.rows(unpruned("hot_columns"), needle);
            topic.send("big", 0, List.of(rows.get((int) last)));
            assertThat(runner.rows(needle).getFirst().getFirst())
                    .as("a row that came after the statistics")
                    .isEqualTo(2L);
            try (RedisClient client = RedisClient.create(URI.create(redis.url()))) {
                String key = client.keys("cordwood:hot:columns:*").iterator().next();
                client.hset(key, "1/big", "garbage");
                assertThat(runner.rows(uncached("hot_columns"), needle)
                                .getFirst()
                                .getFirst())
                        .isEqualTo(2L);
                client.del(key);
                assertThat(runner.rows(uncached("hot_columns"), needle)
                                .getFirst()
                                .getFirst())
                        .isEqualTo(2L);
            }
            redis.kill();
            topic.send("big", 0, List.of(rows.get((int) last)));
            assertThat(expected.getFirst().getFirst()).isEqualTo(1L);
            assertThat(runner.rows(uncached("hot_columns"), needle).getFirst().getFirst())
                    .isEqualTo(3L);
        }
    }

    private static void assertAnswers(
            String ofSmall, List<List<Object>> expectedOfSmall, String ofBig, List<List<Object>> expectedOfBig) {
        for (Session session : List.of(runner.trino().getDefaultSession(), uncached("chunks"))) {
            assertThat(runner.rows(session, ofSmall)).isEqualTo(expectedOfSmall);
            assertThat(runner.rows(session, ofBig)).isEqualTo(expectedOfBig);
        }
    }

    private static Session unpruned(String catalog) {
        return Session.builder(uncached(catalog))
                .setCatalogSessionProperty(catalog, "use_statistics", "false")
                .build();
    }

    private static Session uncached(String catalog) {
        return Session.builder(runner.trino().getDefaultSession())
                .setCatalogSessionProperty(catalog, "use_cache", "false")
                .build();
    }

    private static List<SampleRow> rows(long first, int count) {
        List<SampleRow> rows = new ArrayList<>(count);
        for (long n = first; n < first + count; n++) {
            rows.add(new SampleRow(SampleLogs.START_MICROS + n * 1000, Map.of("n", n)));
        }
        return rows;
    }
}
