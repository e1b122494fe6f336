package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.ExpiredBefore;
import io.cordwood.catalog.tenant.Quota;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.trino.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows older than what retention has dropped are not shown, wherever they still are. */
class CordwoodExpiredIT {
    private static final List<ColumnDefinition> COLUMNS =
            List.of(ColumnDefinition.of("n", ColumnType.BIGINT), ColumnDefinition.text("message"));
    /** In the middle of a day, so that LogBlocks hold rows on both sides of it. */
    private static final String BOUNDARY = "2026-01-10T12:00:00Z";

    private static final String KEPT = "ts >= TIMESTAMP '2026-01-10 12:00:00 UTC'";
    private static final List<String> QUERIES = List.of(
            "SELECT count(*) FROM %s",
            "SELECT count(n), sum(n) FROM %s",
            "SELECT count(*) FROM %s WHERE match(message, 'even')",
            "SELECT min(ts), max(ts) FROM %s",
            "SELECT n FROM %s ORDER BY ts, n LIMIT 3",
            "SELECT n FROM %s ORDER BY ts LIMIT 300",
            "SELECT n FROM %s ORDER BY ts DESC LIMIT 500",
            "SELECT date_trunc('day', ts), count(*) FROM %s GROUP BY 1 ORDER BY 1",
            "SELECT date_trunc('hour', ts), count(*) FROM %s WHERE n > 7 GROUP BY 1 ORDER BY 1",
            "SELECT \"$tier\", count(*) FROM %s GROUP BY 1 ORDER BY 1",
            "SELECT count(*) FROM %s WHERE ts < TIMESTAMP '2026-01-11 00:00:00 UTC'");

    @TempDir
    private static Path home;

    private static Service kafka;
    private static CordwoodQueryRunner runner;

    @BeforeAll
    static void start() throws Exception {
        kafka = TestServices.kafka();
        runner = CordwoodQueryRunner.start(
                home, Map.of("cordwood.kafka-bootstrap-servers", kafka.address(), "cordwood.streams", "logs"));
    }

    @AfterAll
    static void stop() throws Exception {
        runner.close();
        kafka.close();
    }

    @Test
    void olderRowsAreNeitherHotNorColdAnyMore() throws Exception {
        try (SampleTopic topic = SampleTopic.create(kafka, "logs", 1)) {
            runner.tables().write("acme", "logs", 0, COLUMNS, rows(0, 1));
            // Days by themselves hide nothing: what has expired is said by the table, for hot and cold rows alike
            runner.catalog().putTenant(new Tenant("acme", OptionalInt.of(1), Map.of(), Quota.NONE, Map.of()));
            topic.send("acme", 0, rows(10_000, 5));
            topic.send("other", 0, rows(20_000, 20));
            assertThat(runner.rows("SELECT \"$tier\", count(*) FROM acme.logs GROUP BY 1 ORDER BY 1"))
                    .containsExactly(List.of("cold", 480L), List.of("hot", 96L));
            List<List<List<Object>>> expected = new ArrayList<>();
            for (String query : QUERIES) {
                expected.add(runner.rows(query.formatted("(SELECT *, \"$tier\" FROM acme.logs WHERE " + KEPT + ")")));
            }
            List<List<Object>> all =
                    runner.rows("SELECT count(*) FROM all_tenants.logs WHERE " + KEPT + " OR tenant_id <> 'acme'");

            Table table = runner.catalog().catalog().loadTable(TableIdentifier.of("acme", "logs"));
            table.updateProperties().set(ExpiredBefore.PROPERTY, BOUNDARY).commit();

            for (String property : List.of("", "use_statistics", "push_aggregation", "push_topn")) {
                for (int i = 0; i < QUERIES.size(); i++) {
                    assertThat(runner.rows(without(property), QUERIES.get(i).formatted("acme.logs")))
                            .as("%s without %s", QUERIES.get(i), property)
                            .isEqualTo(expected.get(i));
                }
            }
            assertThat(runner.rows("SELECT count(*) FROM all_tenants.logs")).isEqualTo(all);
            assertThat(runner.rows("SELECT count(*) FROM acme.logs WHERE ts < TIMESTAMP '2026-01-10 12:00:00 UTC'"))
                    .containsExactly(List.of(0L));
        }
    }

    private static Session without(String property) {
        return property.isEmpty()
                ? runner.trino().getDefaultSession()
                : Session.builder(runner.trino().getDefaultSession())
                        .setCatalogSessionProperty("cordwood", property, "false")
                        .build();
    }

    /** Of 20 days, one row every so many hours. */
    private static List<SampleRow> rows(int from, int hours) {
        List<SampleRow> rows = new ArrayList<>();
        for (int hour = 0; hour < 20 * 24; hour += hours) {
            rows.add(SampleRow.of(
                    "2026-01-%02dT%02d:%02d:00Z".formatted(1 + hour / 24, hour % 24, hours),
                    "n",
                    (long) from + hour,
                    "message",
                    hour % 2 == 0 ? "an even hour" : "an odd hour"));
        }
        return rows;
    }
}
