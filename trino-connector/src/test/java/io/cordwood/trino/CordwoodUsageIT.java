package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.alert.Alert;
import io.cordwood.catalog.alert.AlertRule;
import io.cordwood.catalog.alert.AlertStatus;
import io.cordwood.catalog.alert.Comparison;
import io.cordwood.catalog.tenant.User;
import io.cordwood.catalog.usage.Scans;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.trino.Session;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code system.usage} says what is in the tables, and what queries read; {@code system.alerts} has the registry's. */
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CordwoodUsageIT {
    private static final ZonedDateTime HOUR =
            ZonedDateTime.of(1970, 1, 1, 0, 0, 0, 0, ZoneId.of("UTC")).plusHours(SampleTables.HOUR);

    @TempDir
    private static Path home;

    private static Service kafka;
    private static CordwoodQueryRunner runner;

    @BeforeAll
    static void start() throws Exception {
        kafka = TestServices.kafka();
        runner = CordwoodQueryRunner.start(
                home,
                Map.of(
                        "cordwood.access-rules-cache-ttl",
                        "1ms",
                        "cordwood.scan-report-interval",
                        "20ms",
                        "cordwood.kafka-bootstrap-servers",
                        kafka.address()));
        SampleLogs.write(runner.tables(), "a", 3_000, 1);
        SampleLogs.write(runner.tables(), "b", 700, 2);
    }

    @AfterAll
    static void stop() throws Exception {
        runner.close();
        kafka.close();
    }

    @Test
    @Order(1)
    void rowsAndStoredBytesAreThoseOfTheTables() {
        assertThat(
                        runner.rows(
                                "SELECT tenant_id, stream, sum(rows) FROM system.usage WHERE tenant_id IN ('a', 'b') GROUP BY 1, 2 ORDER BY 1"))
                .isEqualTo(
                        runner.rows(
                                "SELECT tenant_id, 'logs', count(*) FROM all_tenants.logs WHERE tenant_id IN ('a', 'b') GROUP BY 1, 2 ORDER BY 1"));
        long stored = (long) runner.rows("SELECT sum(stored_bytes) FROM system.usage WHERE tenant_id = 'b'")
                .getFirst()
                .getFirst();
        String summary = runner.catalog()
                .catalog()
                .loadTable(TableIdentifier.of("b", "logs"))
                .currentSnapshot()
                .summary()
                .get("total-files-size");
        assertThat(Long.toString(stored)).isEqualTo(summary);
    }

    @Test
    @Order(1)
    void conditionsOnTenantAndHourSelect() {
        for (int day = 1; day <= 40; day++) {
            report("past", SampleTables.HOUR + 24L * day, day);
        }
        String past = "SELECT sum(scanned_bytes), count(*) FROM system.usage WHERE tenant_id = 'past' AND hour ";
        assertThat(runner.rows(past + ">= from_unixtime(0)")).containsExactly(List.of(820L, 40L));
        assertThat(runner.rows(past + "> %s".formatted(literal(HOUR.plusDays(39)))))
                .containsExactly(List.of(40L, 1L));
        assertThat(runner.rows(past + "= %s".formatted(literal(HOUR.plusDays(7)))))
                .containsExactly(List.of(7L, 1L));
        assertThat(runner.rows(past
                        + "BETWEEN %s AND %s"
                                .formatted(literal(HOUR.plusDays(2).plusMinutes(1)), literal(HOUR.plusDays(4)))))
                .containsExactly(List.of(7L, 2L));
        assertThat(runner.rows("SELECT count(*) FROM system.usage WHERE hour < from_unixtime(0)"))
                .containsExactly(List.of(0L));
        assertThat(runner.rows("SELECT tenant_id FROM system.usage WHERE tenant_id IN ('b', 'nobody') AND hour = "
                        + literal(HOUR)))
                .containsExactly(List.of("b"));
        assertThat(runner.rows("SELECT hour FROM system.usage WHERE tenant_id = 'b' AND rows > 0"))
                .containsExactly(List.of(HOUR));
        assertThat(runner.rows("SELECT count(*) FROM system.usage WHERE scanned_bytes BETWEEN 1 AND 40"))
                .as("all pages")
                .containsExactly(List.of(40L));
    }

    private static void report(String tenantId, long hour, long bytes) {
        runner.catalog().reportScans(new Scans("earlier", 0, List.of(new Scans.Total(tenantId, "logs", hour, bytes))));
    }

    private static String literal(ZonedDateTime time) {
        return "TIMESTAMP '%s UTC'".formatted(time.toLocalDateTime().toString().replace('T', ' '));
    }

    @Test
    @Order(1)
    void scannedBytesAreThoseThatQueriesRead() throws Exception {
        for (String query : List.of(
                "SELECT * FROM a.logs",
                "SELECT count(*) FROM a.logs WHERE match(message, 'disk')",
                "SELECT message FROM a.logs ORDER BY ts DESC LIMIT 3",
                "SELECT tenant_id, max(message) FROM all_tenants.logs WHERE tenant_id = 'a' GROUP BY 1")) {
            long before = scanned("a");
            long read = ScanMetrics.of(runner, query).get("bytes read");
            assertThat(read).as(query).isPositive();
            await(query, "a", before + read);
        }
        long before = scanned("a");
        assertThat(scanned("b")).isZero();
        runner.rows("SELECT count(*) FROM b.logs");
        runner.rows("SELECT * FROM b.logs");
        assertThatThrownBy(() -> runner.rows("SELECT 1 / (length(message) - length(message)) FROM a.logs"))
                .hasMessageContaining("Division by zero");
        awaitMore("a", before);
        awaitMore("b", 0);
    }

    @Test
    @Order(1)
    void rowsInKafkaCountForTheirOwnTenant() throws Exception {
        try (SampleTopic topic = SampleTopic.create(kafka, "logs", 1)) {
            List<SampleRow> rows = SampleLogs.rows(new Random(3), 200);
            topic.send("hot", 0, rows);
            topic.send("neighbour", 0, rows);
            assertThat(runner.rows(
                            "SELECT max(cardinality(attributes)) > 0 FROM all_tenants.logs WHERE tenant_id = 'hot'"))
                    .containsExactly(List.of(true));
            awaitMore("hot", 0);
            assertThat(scanned("neighbour")).isZero();
        }
    }

    private static void awaitMore(String tenantId, long before) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (scanned(tenantId) <= before) {
            assertThat(System.nanoTime()).as("%s is not reported", tenantId).isLessThan(deadline);
            Thread.sleep(20);
        }
    }

    private static void await(String what, String tenantId, long expected) throws InterruptedException {
        awaitMore(tenantId, expected - 1);
        assertThat(scanned(tenantId)).as(what).isEqualTo(expected);
    }

    private static long scanned(String tenantId) {
        return (long) runner.rows("SELECT coalesce(sum(scanned_bytes), 0) FROM system.usage WHERE tenant_id = '%s'"
                        .formatted(tenantId))
                .getFirst()
                .getFirst();
    }

    @Test
    @Order(1)
    void alertsAreThoseOfTheRegistry() {
        putAlert("a");
        putAlert("b");
        assertThat(
                        runner.rows(
                                "SELECT tenant_id, stream, name, query, condition, window_seconds, every_seconds, for_seconds, state, since, value, evaluated_at, error FROM system.alerts ORDER BY 1"))
                .hasSize(2)
                .first()
                .isEqualTo(Arrays.asList(
                        "a",
                        "logs",
                        "errors",
                        "level:error",
                        "> 100",
                        300L,
                        60L,
                        0L,
                        "pending",
                        HOUR,
                        101L,
                        HOUR,
                        "no answer"));
    }

    private static void putAlert(String tenant) {
        runner.catalog()
                .putAlert(new AlertRule(
                        tenant,
                        "logs",
                        "errors",
                        "level:error",
                        Duration.ofMinutes(5),
                        Duration.ofMinutes(1),
                        Duration.ZERO,
                        Comparison.ABOVE,
                        100,
                        Map.of(),
                        Map.of(),
                        3));
        Alert alert = runner.catalog().alerts(tenant).getFirst();
        AlertStatus pending = new AlertStatus(
                AlertStatus.State.PENDING,
                Optional.of(HOUR.toInstant()),
                Optional.of(HOUR.toInstant()),
                OptionalLong.of(101),
                Optional.empty(),
                List.of(),
                Optional.of("no answer"));
        assertThat(runner.catalog().putAlertStatus(alert.with(pending), 1)).isTrue();
    }

    @Test
    @Order(2)
    void aUserSeesTheTenantsGranted() {
        runner.catalog().putUser(new User("alice", false, Set.of("a")));
        Session alice = CordwoodQueryRunner.session("a", "alice");
        Session nobody = CordwoodQueryRunner.session("a", "nobody");
        Session operator = CordwoodQueryRunner.session("a", CordwoodQueryRunner.OPERATOR);
        String tenants = "SELECT DISTINCT tenant_id FROM system.usage";
        assertThat(runner.rows(alice, tenants)).containsExactly(List.of("a"));
        assertThat(runner.rows(alice, tenants + " WHERE tenant_id = 'b'")).isEmpty();
        assertThat(runner.rows(nobody, tenants)).isEmpty();
        assertThat(runner.rows(operator, tenants)).contains(List.of("a"), List.of("b"));
        String alerts = "SELECT tenant_id FROM system.alerts ORDER BY 1";
        assertThat(runner.rows(alice, alerts)).containsExactly(List.of("a"));
        assertThat(runner.rows(nobody, alerts)).isEmpty();
        assertThat(runner.rows(operator, alerts)).containsExactly(List.of("a"), List.of("b"));
        assertThatThrownBy(() -> runner.rows(operator, "DELETE FROM system.usage"))
                .hasMessageContaining("Access Denied");
    }
}
