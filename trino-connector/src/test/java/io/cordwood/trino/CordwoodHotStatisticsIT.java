package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.ColumnDefinition;
import io.cordwood.catalog.PartitionId;
import io.cordwood.hot.statistics.ChunkRecorder;
import io.cordwood.hot.statistics.StatisticsStore;
import io.cordwood.logblock.ColumnType;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.trino.Session;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.RedisClient;

/** Statistics of hot chunks spare reading and change no answer, whatever they cover and whatever becomes of Redis. */
class CordwoodHotStatisticsIT {
    private static final int CHUNK = 8192;

    @TempDir
    private static Path home;

    @Test
    void statisticsSpareReadingAndChangeNoAnswer() throws Exception {
        try (Service kafka = TestServices.kafka();
                Service redis = TestServices.redis();
                CordwoodQueryRunner runner = CordwoodQueryRunner.start(
                        home,
                        Map.of(
                                "cordwood.kafka-bootstrap-servers",
                                kafka.address(),
                                "cordwood.redis-uri",
                                redis.url(),
                                "cordwood.hot-statistics-interval",
                                "0s"));
                SampleTopic topic = SampleTopic.create(kafka, "logs", 1);
                StatisticsStore store = new StatisticsStore(URI.create(redis.url()))) {
            PartitionId partition = new PartitionId(topic.id(), 0);
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
            // Of what came since nothing is known
            topic.send("small", 0, rows(0, 7));

            String sql = "SELECT count(*), sum(n) FROM cordwood.%s.logs";
            String ofSmall = sql.formatted("small");
            String ofBig = sql.formatted("big")
                    + " WHERE ts BETWEEN TIMESTAMP '2026-01-10 00:00:20 UTC' AND TIMESTAMP '2026-01-10 00:00:30 UTC'";
            String ofAll = sql.formatted("all_tenants").replace("sum(n)", "count(DISTINCT tenant_id)");
            Session unpruned = unpruned(runner);
            List<List<Object>> expectedOfSmall = runner.rows(unpruned, ofSmall);
            List<List<Object>> expectedOfBig = runner.rows(unpruned, ofBig);
            assertThat(expectedOfSmall.getFirst().getFirst()).isEqualTo(small + 7);

            Map<String, Long> pruned = ScanMetrics.of(runner, uncached(runner), ofSmall);
            assertThat(pruned.get("hot chunks considered")).isEqualTo(6);
            assertThat(pruned.get("hot chunks pruned by statistics")).isPositive();
            assertThat(pruned.get("hot records read")).isLessThan(200);
            assertThat(ScanMetrics.of(runner, unpruned, ofSmall).get("hot records read"))
                    .isEqualTo(offset + 7);
            assertThat(ScanMetrics.of(runner, uncached(runner), ofBig).get("hot records read"))
                    .isLessThan(3L * CHUNK);

            String newest = "SELECT n FROM cordwood.big.logs ORDER BY ts DESC LIMIT 10";
            assertThat(runner.rows(newest)).isEqualTo(runner.rows(unpruned, newest));
            String oldest = "SELECT n FROM cordwood.big.logs ORDER BY ts LIMIT 10";
            assertThat(runner.rows(oldest)).isEqualTo(runner.rows(unpruned, oldest));

            assertAnswers(runner, ofSmall, expectedOfSmall, ofBig, expectedOfBig);
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
                assertAnswers(runner, ofSmall, expectedOfSmall, ofBig, expectedOfBig);
                garbage.flushAll();
                assertAnswers(runner, ofSmall, expectedOfSmall, ofBig, expectedOfBig);
            }
            redis.kill();
            topic.send("small", 0, rows(0, 1));
            assertThat(runner.rows(ofSmall).getFirst().getFirst()).isEqualTo(small + 8);
            assertThat(runner.rows(ofBig)).isEqualTo(expectedOfBig);
        }
    }

    private static void assertAnswers(
            CordwoodQueryRunner runner,
            String ofSmall,
            List<List<Object>> expectedOfSmall,
            String ofBig,
            List<List<Object>> expectedOfBig) {
        for (Session session : List.of(runner.trino().getDefaultSession(), uncached(runner))) {
            assertThat(runner.rows(session, ofSmall)).isEqualTo(expectedOfSmall);
            assertThat(runner.rows(session, ofBig)).isEqualTo(expectedOfBig);
        }
    }

    private static Session unpruned(CordwoodQueryRunner runner) {
        return Session.builder(uncached(runner))
                .setCatalogSessionProperty("cordwood", "use_statistics", "false")
                .build();
    }

    private static Session uncached(CordwoodQueryRunner runner) {
        return Session.builder(runner.trino().getDefaultSession())
                .setCatalogSessionProperty("cordwood", "use_cache", "false")
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
