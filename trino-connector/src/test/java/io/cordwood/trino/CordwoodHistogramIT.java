package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.table.ColumnDefinition;
import io.trino.Session;
import io.trino.spi.type.TimeZoneKey;
import io.trino.sql.query.QueryAssertions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Histograms that the connector cuts from bin edges are those that the engine makes from times. */
class CordwoodHistogramIT {
    private static final List<String> BINS = List.of(
            "date_trunc('millisecond', ts)",
            "date_trunc('second', ts)",
            "date_trunc('minute', ts)",
            "date_trunc('HOUR', ts)",
            "date_trunc('day', ts)",
            "date_trunc('week', ts)",
            "date_trunc('month', ts)",
            "date_trunc('quarter', ts)",
            "date_trunc('year', ts)",
            "date_bin(INTERVAL '7' MINUTE, ts)",
            "date_bin(INTERVAL '0.001' SECOND, ts)",
            "date_bin(INTERVAL '400' DAY, ts)",
            "FROM_UNIXTIME(FLOOR(TO_UNIXTIME(ts)/60)*60)",
            "FROM_UNIXTIME(FLOOR(TO_UNIXTIME(ts)/7.5e0)*7.5e0)",
            "FROM_UNIXTIME(FLOOR(TO_UNIXTIME(ts)/86400)*86400)");

    private static final List<String> CONDITIONS = List.of(
            "true",
            "level = 'INFO'",
            "match(message, 'disk')",
            "match(message, '\"disk full\"') OR status = 404",
            "size > 1e0",
            "level = 'nowhere'");

    /** It cuts the first and the last bin. */
    private static final String TIME =
            "ts >= TIMESTAMP '2026-01-10 03:07:10.5 UTC' AND ts < TIMESTAMP '2026-01-11 13:00:00 UTC'";

    /** With how many conditions each bin is tried, besides that of time. */
    private static final int SOME = 2;

    @TempDir
    private static Path home;

    private static CordwoodQueryRunner runner;

    @BeforeAll
    static void start() throws Exception {
        runner = CordwoodQueryRunner.start(home, Map.of());
        SampleLogs.write(runner.tables(), "acme", 6_000, 9);
        Random random = new Random(3);
        List<SampleRow> rows = new ArrayList<>();
        for (int i = 0; i < 30_000; i++) {
            rows.add(new SampleRow(
                    SampleLogs.START_MICROS + random.nextLong(86_400_000_000L), Map.of("message", "row " + i)));
        }
        runner.tables().write("busy", "logs", 0, List.of(ColumnDefinition.text("message")), rows);
    }

    @AfterAll
    static void stop() throws Exception {
        runner.close();
    }

    private static Session session(boolean push, String zone) {
        return Session.builder(runner.trino().getDefaultSession())
                .setTimeZoneKey(TimeZoneKey.getTimeZoneKey(zone))
                .setCatalogSessionProperty("cordwood", "push_aggregation", Boolean.toString(push))
                .build();
    }

    @Test
    void countsAreThoseOfTheEngine() {
        for (int i = 0; i < BINS.size(); i++) {
            assertSameCounts(BINS.get(i), TIME);
            for (int condition = i; condition < i + SOME; condition++) {
                assertSameCounts(BINS.get(i), CONDITIONS.get(condition % CONDITIONS.size()));
            }
        }
    }

    private static void assertSameCounts(String bin, String condition) {
        assertSame("Europe/Vienna", "SELECT %s, count(*) FROM logs WHERE %s GROUP BY 1".formatted(bin, condition));
    }

    @Test
    void binsBesideOtherColumnsAreThoseOfTheEngine() {
        for (String bin : BINS) {
            assertSame(
                    "Europe/Vienna",
                    "SELECT %s, level, count(*), max(ts), sum(status %% 7) FROM logs WHERE match(message, 'disk') GROUP BY 1, 2"
                            .formatted(bin));
            assertSame("UTC", "SELECT %s, date_trunc('day', ts), count(*) FROM logs GROUP BY 1, 2".formatted(bin));
            assertSame(
                    "UTC",
                    "SELECT %s, \"$kafka_offset\" FROM logs ORDER BY ts DESC, \"$kafka_partition\", \"$kafka_offset\" LIMIT 50"
                            .formatted(bin));
            assertSame(
                    "UTC",
                    "SELECT * FROM (SELECT %s AS bin, count(*) AS c FROM logs GROUP BY 1) WHERE bin > TIMESTAMP '2026-01-11 00:00:00 UTC' AND c > 1"
                            .formatted(bin));
        }
        assertSame(
                "UTC",
                "SELECT date_trunc('hour', date_trunc('minute', ts)), tenant_id, count(*) FROM all_tenants.logs GROUP BY 1, 2");
    }

    private static void assertSame(String zone, String sql) {
        assertThat(runner.rows(session(true, zone), sql))
                .as("%s in %s", sql, zone)
                .containsExactlyInAnyOrderElementsOf(runner.rows(session(false, zone), sql));
    }

    @Test
    void binsAreTakenOverWholly() {
        // Closing it would close the server
        QueryAssertions assertions = new QueryAssertions(runner.trino());
        for (String bin : BINS) {
            assertThat(assertions.query("SELECT %s FROM logs WHERE match(message, 'disk')".formatted(bin)))
                    .as(bin)
                    .isFullyPushedDown();
        }
        Stream.of(
                        "date_trunc('hour', ts AT TIME ZONE 'Asia/Kolkata')",
                        "FROM_UNIXTIME(FLOOR(TO_UNIXTIME(ts)/60)*61)",
                        "FROM_UNIXTIME(FLOOR(TO_UNIXTIME(ts)/1e-5)*1e-5)")
                .forEach(bin -> assertSame("Europe/Vienna", "SELECT %s, count(*) FROM logs GROUP BY 1".formatted(bin)));
    }

    @Test
    void timesAreReadWhereBinsMeetOnly() {
        // 30,000 rows in column blocks of 256: 24 hours begin in at most 23 of 118
        assertThat(columnBlocks("SELECT date_trunc('hour', ts), count(*) FROM busy.logs GROUP BY 1"))
                .isBetween(20L, 23L);
        assertThat(ScanMetrics.of(runner, "SELECT date_trunc('day', ts), count(*) FROM busy.logs GROUP BY 1"))
                .containsEntry("column blocks read", 0L)
                .containsEntry("column blocks cached", 0L)
                .containsEntry("LogBlocks counted by manifest", 1L);
        assertThat(columnBlocks(
                        "SELECT date_trunc('day', ts), count(*) FROM busy.logs WHERE match(message, 'row') GROUP BY 1"))
                .isZero();
    }

    private static long columnBlocks(String query) {
        Map<String, Long> metrics = ScanMetrics.of(runner, query);
        return metrics.get("column blocks read") + metrics.get("column blocks cached");
    }
}
