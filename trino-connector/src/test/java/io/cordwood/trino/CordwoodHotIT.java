package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.services.Bombs;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.cordwood.services.Waiting;
import io.trino.Session;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.record.internal.CompressionType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows that are still in Kafka are seen at once, each once, beside those in LogBlocks. */
class CordwoodHotIT {
    private static final List<ColumnDefinition> NUMBERED =
            List.of(ColumnDefinition.of("n", ColumnType.BIGINT), ColumnDefinition.text("message"));

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
                        "cordwood.kafka-bootstrap-servers",
                        kafka.address(),
                        "cordwood.streams",
                        "logs,mixed,transactions,anew,grown,everyone,odd,large,gone,grouped,bombs"));
    }

    @AfterAll
    static void stop() throws Exception {
        runner.close();
        kafka.close();
    }

    @Test
    void eachConditionGivesWhatTheEngineFinds() throws Exception {
        try (SampleTopic topic = SampleTopic.create(kafka, "logs", 2)) {
            runner.catalog().ensureTable("acme", "logs", SampleLogs.COLUMNS);
            List<SampleRow> rows = SampleLogs.rows(new Random(7), 3_000);
            topic.send("acme", 0, rows.subList(0, 1_000));
            topic.send("other", 0, rows.subList(0, 50));
            topic.send("acme", 1, rows.subList(1_000, 2_000));
            runner.tables().write("acme", "logs", 1, SampleLogs.COLUMNS, rows.subList(2_000, 3_000));

            assertThat(runner.rows("SELECT \"$tier\", \"$path\" IS NULL, count(*) FROM logs GROUP BY 1, 2 ORDER BY 1"))
                    .containsExactly(List.of("cold", false, 1_000L), List.of("hot", true, 2_000L));
            CordwoodFilterIT.assertSameRows(runner, runner.trino().getDefaultSession(), CordwoodFilterIT.CONDITIONS);
            for (String query : List.of(
                    "SELECT ts, \"$kafka_partition\", \"$kafka_offset\", message FROM %s ORDER BY ts DESC, \"$kafka_partition\", \"$kafka_offset\" LIMIT 37",
                    "SELECT ts, \"$kafka_partition\", \"$kafka_offset\" FROM %s WHERE match(message, 'disk') ORDER BY ts, \"$kafka_partition\", \"$kafka_offset\" LIMIT 23",
                    "SELECT date_trunc('hour', ts), count(*) FROM %s WHERE NOT fail GROUP BY 1 ORDER BY 1",
                    "SELECT level, count(*) FROM %s WHERE NOT fail GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 4",
                    "SELECT level, count(*), sum(latency) FROM %s WHERE latency BETWEEN -5 AND 5 GROUP BY 1 ORDER BY 1")) {
                assertThat(runner.rows(query.formatted("logs")))
                        .as(query)
                        .isEqualTo(runner.rows(query.formatted(CordwoodFilterIT.UNPUSHED)));
            }
        }
    }

    /** They have no row, neither here nor in a LogBlock, and are not unpacked to find that out. */
    @Test
    void whatUnpacksToTooMuchHasNoRow() throws Exception {
        try (SampleTopic topic = SampleTopic.create(kafka, "bombs", 1)) {
            byte[] key = "acme".getBytes(StandardCharsets.UTF_8);
            runner.catalog().ensureTable("acme", "bombs", NUMBERED);
            for (int i = 0; i < 10; i++) {
                topic.send("acme", 0, numbered(i, i + 1));
                // All at once they would be 15 GB.
                Bombs.send(
                        kafka.address(),
                        "bombs",
                        0,
                        Bombs.batch(CompressionType.ZSTD, List.of(Bombs.Zeros.value(key, 1_500_000_000))));
            }
            assertNumbers("bombs", 10);
            assertThat(runner.rows("SELECT count(*) FROM all_tenants.bombs")).containsExactly(List.of(10L));
        }
    }

    @Test
    void eachRowIsThereOnceWhileItMovesToLogBlocks() throws Exception {
        try (SampleTopic topic = SampleTopic.create(kafka, "mixed", 2)) {
            PartitionId partition = new PartitionId(topic.id(), 1);
            SampleTables tables = new SampleTables(runner.catalog(), CordwoodQueryRunner.SMALL_BLOCKS, topic.id());
            List<SampleRow> rows = numbered(0, 20_000);
            topic.send("acme", 1, rows);
            runner.catalog().ensureTable("acme", "mixed", NUMBERED);
            assertNumbers("mixed", 20_000);
            for (int committed = 0; committed < 20_000; ) {
                int next = Math.min(20_000, committed + 6_000);
                tables.write("acme", "mixed", 1, NUMBERED, rows.subList(committed, next));
                assertNumbers("mixed", 20_000);
                if (committed > 0) {
                    runner.catalog().advanceArchivedThrough("mixed", Map.of(partition, (long) committed));
                    assertNumbers("mixed", 20_000);
                }
                committed = next;
            }
            runner.catalog().advanceArchivedThrough("mixed", Map.of(partition, 20_000L));
            assertNumbers("mixed", 20_000);
            topic.send("acme", 1, numbered(20_000, 20_010));
            assertNumbers("mixed", 20_010);
            assertThat(runner.rows(withHotTier("off"), "SELECT count(*) FROM mixed"))
                    .containsExactly(List.of(20_000L));
            assertThat(runner.rows("SELECT n FROM mixed WHERE \"$tier\" = 'hot' AND n >= 20005 ORDER BY n"))
                    .hasSize(5);
            assertThat(runner.rows("SELECT n FROM mixed WHERE \"$kafka_partition\" = 0"))
                    .isEmpty();
            for (String table : List.of("mixed", "all_tenants.mixed")) {
                assertThat(runner.rows("""
                                SELECT "$tier", "$kafka_topic_id", count(*) FROM %s
                                WHERE "$kafka_topic_id" <> 'another' GROUP BY 1, 2 ORDER BY 1""".formatted(table)))
                        .containsExactly(List.of("cold", topic.id(), 20_000L), List.of("hot", topic.id(), 10L));
            }
        }
    }

    @Test
    void newRowsAreSeenAtOnce() throws Exception {
        try (SampleTopic topic = SampleTopic.create(kafka, "large", 1)) {
            runner.catalog().ensureTable("acme", "large", NUMBERED);
            Random random = new Random(3);
            int sent = 0;
            for (int i = 0; i < 15; i++) {
                int more = 1 + random.nextInt(1_500);
                topic.send("acme", 0, numbered(sent, sent + more));
                sent += more;
                topic.send("noise", 0, numbered(0, random.nextInt(100)));
                assertNumbers("large", sent);
            }
            assertThat(runner.rows(withoutCache(), "SELECT count(*), count(DISTINCT n), sum(n) FROM large"))
                    .containsExactly(List.of((long) sent, (long) sent, sent * (sent - 1L) / 2));
            assertThatThrownBy(() -> runner.rows(
                            Session.builder(withoutCache())
                                    .setCatalogSessionProperty("cordwood", "hot_max_size", "1kB")
                                    .build(),
                            "SELECT count(*) FROM large"))
                    .hasMessageContaining("hot_max_size");
        }
    }

    @Test
    void valuesInKafkaAreCountedWhereTheyAreReadUntilTheyAreMany() throws Exception {
        try (SampleTopic topic = SampleTopic.create(kafka, "grouped", 1)) {
            List<ColumnDefinition> columns = List.of(ColumnDefinition.keyword("level"));
            runner.catalog().ensureTable("acme", "grouped", columns);
            SampleRow row = new SampleRow(SampleLogs.START_MICROS, Map.of("level", "INFO"));
            topic.send("acme", 0, Collections.nCopies(20_000, row));
            String counts = "SELECT level, count(*) FROM grouped GROUP BY level";
            assertThat((String) runner.rows("EXPLAIN " + counts).getFirst().getFirst())
                    .contains("groups=");
            assertThat(runner.rows(counts)).containsExactly(List.of("INFO", 20_000L));

            // As many of others have to be read and decoded too
            topic.send("other", 0, Collections.nCopies(20_000, row));
            assertThat((String) runner.rows("EXPLAIN " + counts).getFirst().getFirst())
                    .doesNotContain("groups=");
            assertThat(runner.rows(counts)).containsExactly(List.of("INFO", 20_000L));
            assertThat((String) runner.rows(withHotTier("off"), "EXPLAIN " + counts)
                            .getFirst()
                            .getFirst())
                    .contains("groups=");
        }
    }

    @Test
    void onlyCommittedTransactionsAreSeen() throws Exception {
        try (SampleTopic topic = SampleTopic.create(kafka, "transactions", 1)) {
            runner.catalog().ensureTable("acme", "transactions", NUMBERED);
            topic.send("acme", 0, numbered(0, 10));
            try (KafkaProducer<byte[], byte[]> aborted = topic.begin("acme", 0, numbered(500, 600))) {
                aborted.abortTransaction();
            }
            assertNumbers("transactions", 10);
            try (KafkaProducer<byte[], byte[]> open = topic.begin("acme", 0, numbered(10, 20))) {
                topic.send("acme", 0, numbered(20, 30));
                // Nothing after the first record of an open transaction is stable
                assertNumbers("transactions", 10);
                open.commitTransaction();
            }
            // Kafka answers before the marker is in its log
            Waiting.until(
                    "the transaction has ended",
                    () -> runner.rows("SELECT count(*) FROM transactions").equals(List.of(List.of(30L))));
            assertNumbers("transactions", 30);
        }
    }

    @Test
    void aTopicMadeAnewStartsOver() throws Exception {
        try (SampleTopic topic = SampleTopic.create(kafka, "anew", 1)) {
            runner.catalog().ensureTable("acme", "anew", NUMBERED);
            PartitionId old = new PartitionId(topic.id(), 0);
            topic.send("acme", 0, numbered(500, 600));
            runner.catalog().advanceArchivedThrough("anew", Map.of(old, 50L));
            assertThat(runner.rows("SELECT count(*) FROM anew")).containsExactly(List.of(50L));
            topic.delete();
            assertThat(runner.rows("SELECT count(*) FROM anew")).containsExactly(List.of(0L));
            topic.create(1);
            topic.send("acme", 0, numbered(0, 200));
            assertNumbers("anew", 200);
        }
    }

    @Test
    void newPartitionsAreSeenAtOnce() throws Exception {
        try (SampleTopic topic = SampleTopic.create(kafka, "grown", 1)) {
            runner.catalog().ensureTable("acme", "grown", NUMBERED);
            topic.send("acme", 0, numbered(0, 10));
            assertNumbers("grown", 10);
            topic.grow(4);
            topic.send("acme", 3, numbered(10, 20));
            assertNumbers("grown", 20);
        }
    }

    @Test
    void allTenantsTogether() throws Exception {
        try (SampleTopic topic = SampleTopic.create(kafka, "everyone", 2)) {
            runner.catalog().ensureTable("acme", "everyone", NUMBERED);
            runner.catalog().ensureTable("other", "everyone", NUMBERED);
            topic.send("acme", 0, numbered(0, 10));
            topic.send("other", 0, numbered(0, 5));
            topic.send("other", 1, numbered(5, 7));
            // Nobody knows of this tenant yet
            topic.send("brand new", 1, numbered(0, 3));
            topic.send("deleted", 1, numbered(0, 4));
            runner.catalog().ensureTable("deleted", "everyone", List.of());
            runner.catalog()
                    .deleteTenant(
                            "deleted", Map.of("everyone", TableOffsets.of(Map.of(new PartitionId(topic.id(), 1), 8L))));
            String all = "SELECT tenant_id, count(*), count(CAST(attributes['n'] AS bigint)) FROM all_tenants.everyone";
            assertThat(runner.rows(all + " WHERE tenant_id NOT IN ('acme', 'other') GROUP BY 1 ORDER BY 1"))
                    .containsExactly(List.of("brand new", 3L, 3L), List.of("deleted", 1L, 1L));
            assertThat(runner.rows("SELECT tenant_id, count(*) FROM all_tenants.everyone GROUP BY 1 ORDER BY 1"))
                    .containsExactly(
                            List.of("acme", 10L),
                            List.of("brand new", 3L),
                            List.of("deleted", 1L),
                            List.of("other", 7L));
            assertThat(runner.rows("SELECT count(*) FROM all_tenants.everyone WHERE tenant_id = 'other'"))
                    .containsExactly(List.of(7L));
            assertThat(runner.rows(
                            "SELECT tenant_id, sum(n) FROM all_tenants.everyone WHERE n >= 4 GROUP BY 1 ORDER BY 1"))
                    .containsExactly(List.of("acme", 39L), List.of("other", 15L));
            // From now on a text for all, of rows that are decoded as numbers
            runner.catalog().ensureTable("third", "everyone", List.of(ColumnDefinition.keyword("n")));
            topic.send("third", 0, List.of(SampleRow.of("2026-01-10T00:00:00Z", "n", "x")));
            assertThat(runner.rows("SELECT tenant_id, max(n), count(*) FROM all_tenants.everyone"
                            + " WHERE n IN ('4', 'x') GROUP BY 1 ORDER BY 1"))
                    .containsExactly(List.of("acme", "4", 1L), List.of("other", "4", 1L), List.of("third", "x", 1L));
            assertThat(runner.rows(
                            "SELECT count(*), max(CAST(attributes['n'] AS bigint)) FROM \"brand~20new\".everyone"))
                    .containsExactly(List.of(3L, 2L));
            assertThatThrownBy(() -> runner.execute("SELECT count(*) FROM nobody.everyone"))
                    .hasMessageContaining("nobody");
        }
    }

    @Test
    void whatCannotBeDecodedIsLeftOutAndNewMembersAreAttributesUntilTheyHaveColumns() throws Exception {
        try (SampleTopic topic = SampleTopic.create(kafka, "odd", 1)) {
            runner.catalog().ensureTable("acme", "odd", NUMBERED);
            topic.send("acme", 0, "[1, 2]".getBytes(StandardCharsets.UTF_8));
            topic.send("acme", 0, new byte[0]);
            topic.send("acme", 0, "{\"n\": 1, \"user.name\": \"ann\", \"k\": 2.5}".getBytes(StandardCharsets.UTF_8));
            topic.send("acme", 0, "{\"n\": \"text\"}".getBytes(StandardCharsets.UTF_8));
            assertThat(runner.rows(
                            "SELECT n, element_at(attributes, 'user.name'), element_at(attributes, 'k'), element_at(attributes, 'n') FROM odd"
                                    + " ORDER BY \"$kafka_offset\""))
                    .extracting(List::toString)
                    .containsExactly("[1, ann, 2.5, null]", "[null, null, null, text]");
            assertThat(runner.rows("SELECT count(*) FROM odd WHERE element_at(attributes, 'user.name') = 'ann'"))
                    .containsExactly(List.of(1L));

            // As the ingest job does while the rows still wait for their flush
            runner.catalog()
                    .ensureTable(
                            "acme",
                            "odd",
                            List.of(
                                    ColumnDefinition.keyword("user.name"),
                                    ColumnDefinition.of("k", ColumnType.DOUBLE)));
            assertThat(
                            runner.rows(
                                    "SELECT n, \"user.name\", k, element_at(attributes, 'user.name') FROM odd ORDER BY \"$kafka_offset\""))
                    .extracting(List::toString)
                    .containsExactly("[1, ann, 2.5, null]", "[null, null, null, null]");
            assertThat(runner.rows("SELECT count(*) FROM odd WHERE \"user.name\" = 'ann' AND k > 2"))
                    .containsExactly(List.of(1L));
            assertThat(
                            runner.rows(
                                    "SELECT column_name FROM information_schema.columns WHERE table_schema = 'acme' AND table_name = 'odd' AND column_name = 'k'"))
                    .containsExactly(List.of("k"));
        }
    }

    @Test
    void withoutKafkaAQuerySaysSo() throws Exception {
        String gone = "127.0.0.1:" + unusedPort();
        runner.addCatalog("alone", Map.of("cordwood.kafka-bootstrap-servers", gone, "cordwood.streams", "gone"));
        runner.tables().write("acme", "gone", 0, NUMBERED, numbered(0, 100));
        assertThatThrownBy(() -> runner.execute("SELECT count(*) FROM alone.acme.gone"))
                .hasMessageContaining(gone)
                .hasMessageContaining("hot_tail");
        assertThat(runner.rows(withHotTier("alone", "off"), "SELECT count(*) FROM alone.acme.gone"))
                .containsExactly(List.of(100L));
        assertThat(runner.rows("SELECT count(*) FROM alone.acme.gone WHERE \"$tier\" = 'cold'"))
                .containsExactly(List.of(100L));
    }

    /** A port on which no program listens. */
    private static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static Session withHotTier(String value) {
        return withHotTier("cordwood", value);
    }

    private static Session withHotTier(String catalog, String value) {
        return Session.builder(runner.trino().getDefaultSession())
                .setCatalogSessionProperty(catalog, "hot_tail", value)
                .build();
    }

    private static Session withoutCache() {
        return Session.builder(runner.trino().getDefaultSession())
                .setCatalogSessionProperty("cordwood", "use_cache", "false")
                .build();
    }

    private static List<SampleRow> numbered(int from, int to) {
        List<SampleRow> rows = new ArrayList<>(IntStream.range(from, to)
                .mapToObj(n -> new SampleRow(
                        SampleLogs.START_MICROS + n % 1000 * 1_000_003L,
                        Map.of("n", (long) n, "message", "row number " + n)))
                .toList());
        Collections.shuffle(rows, new Random(from));
        return rows;
    }

    /** The numbers below {@code count} are there, each once. */
    private static void assertNumbers(String stream, long count) {
        assertThat(runner.rows(
                        "SELECT count(*), count(DISTINCT n), coalesce(sum(n), 0), count(message) FROM " + stream))
                .containsExactly(List.of(count, count, count * (count - 1) / 2, count));
        assertThat(runner.rows("SELECT n FROM " + stream + " WHERE match(message, '" + (count - 1) + "')"))
                .containsExactly(List.of(count - 1));
    }
}
