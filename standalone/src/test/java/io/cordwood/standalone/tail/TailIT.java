package io.cordwood.standalone.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.hot.HotTier;
import io.cordwood.logblock.match.MatchQuery;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.record.policy.DecodingPolicy;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.cordwood.standalone.error.CordwoodException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each row that Kafka takes is printed once, whatever happens to topics, tables and the broker meanwhile. */
final class TailIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<ColumnDefinition> NUMBERED =
            List.of(ColumnDefinition.of("n", ColumnType.BIGINT), ColumnDefinition.text("message"));
    private static final TailStart FROM_THE_FIRST = new TailStart.Since(Duration.ofDays(1));

    @TempDir
    private static Path home;

    private static Service kafka;
    private static CatalogServer server;
    private static CatalogClient catalog;

    @BeforeAll
    static void start() throws Exception {
        kafka = TestServices.kafka();
        server = CatalogServer.start(new CatalogServerOptions(
                "127.0.0.1",
                0,
                "jdbc:sqlite:" + home.resolve("catalog.db"),
                home.resolve("w").toString(),
                Map.of()));
        catalog = CatalogClient.connect(server.uri(), Map.of());
    }

    @AfterAll
    static void stop() throws Exception {
        catalog.close();
        server.close();
        kafka.close();
    }

    @Test
    void printsEachNewRowOnce() throws Exception {
        try (TailedStream stream = new TailedStream(kafka, "once", 3)) {
            catalog.ensureTable("acme", "once", NUMBERED);
            stream.send("acme", 0, TailedStream.row(-1, "before"));
            stream.awaitAcknowledged();
            try (Following tail = follow("once", new TailStart.End(), Optional.empty())) {
                for (int n = 0; n < 50_000; n++) {
                    stream.send("acme", n % 3, TailedStream.row(n, "row " + n));
                    stream.send("other", n % 3, TailedStream.row(n, "not ours"));
                }
                List<JsonNode> rows = tail.rows(50_000);
                assertNumbers(rows, 0, 50_000);
                stream.send("acme", 1, TailedStream.row(50_000, "one more"));
                assertThat(tail.rows(50_001).getLast().path("n").asInt()).isEqualTo(50_000);
                assertThat(tail.notes()).isEmpty();
            }
        }
    }

    @Test
    void rowsOfARoundAreInOrder() throws Exception {
        try (TailedStream stream = new TailedStream(kafka, "order", 3)) {
            catalog.ensureTable("acme", "order", NUMBERED);
            for (int n = 0; n < 3_000; n++) {
                stream.send("acme", n % 3, TailedStream.row(n, "row"));
            }
            stream.awaitAcknowledged();
            try (Following tail = follow("order", FROM_THE_FIRST, Optional.empty())) {
                assertThat(tail.rows(3_000))
                        .isSortedAccordingTo(Comparator.<JsonNode, String>comparing(
                                        row -> row.path("ts").asText())
                                .thenComparing(
                                        row -> row.path("$kafka_partition").asInt())
                                .thenComparing(row -> row.path("$kafka_offset").asInt()));
            }
        }
    }

    @Test
    void matchMeansWhatItMeansInSql() throws Exception {
        try (TailedStream stream = new TailedStream(kafka, "match", 1)) {
            catalog.ensureTable("acme", "match", NUMBERED);
            for (String tenant : List.of("acme", "tableless")) {
                List<String> messages = List.of("Disk FULL", "disk is not full", "diskette", "nothing", "full");
                for (int n = 0; n < messages.size(); n++) {
                    stream.send(tenant, 0, TailedStream.row(n, messages.get(n)));
                }
                stream.send(tenant, 0, "{\"n\":5}");
            }
            stream.awaitAcknowledged();
            for (Map.Entry<String, List<Integer>> query : Map.of(
                            "disk", List.of(0, 1),
                            "\"disk full\"", List.of(0),
                            "disk*", List.of(0, 1, 2),
                            "NOT disk", List.of(2, 3, 4),
                            "diskette OR nothing", List.of(2, 3))
                    .entrySet()) {
                for (String tenant : List.of("acme", "tableless")) {
                    Optional<TextMatch> match = Optional.of(new TextMatch("message", MatchQuery.parse(query.getKey())));
                    try (Following tail = follow(tenant, "match", FROM_THE_FIRST, match)) {
                        assertThat(tail.rows(query.getValue().size()))
                                .as("%s of %s", query.getKey(), tenant)
                                .extracting(TailIT::number)
                                .containsExactlyInAnyOrderElementsOf(query.getValue());
                    }
                }
            }
            assertThatThrownBy(() ->
                            follow("match", FROM_THE_FIRST, Optional.of(new TextMatch("n", MatchQuery.parse("5")))))
                    .isInstanceOf(CordwoodException.class)
                    .hasMessage("--match: column n is bigint, not text");
        }
    }

    @Test
    void followsNewPartitionsAndATopicMadeAnew() throws Exception {
        try (TailedStream stream = new TailedStream(kafka, "grows", 1)) {
            catalog.ensureTable("acme", "grows", NUMBERED);
            try (Following tail = follow("grows", new TailStart.End(), Optional.empty())) {
                stream.send("acme", 0, TailedStream.row(0, "old partition"));
                tail.rows(1);
                stream.grow(3);
                stream.send("acme", 0, TailedStream.row(1, "old partition"));
                stream.send("acme", 1, TailedStream.row(2, "new partition"));
                stream.send("acme", 2, TailedStream.row(3, "new partition"));
                tail.rows(4);
                assertThat(tail.notes()).isEmpty();

                stream.delete();
                tail.awaitNote("was deleted");
                stream.create(2);
                stream.send("acme", 0, TailedStream.row(4, "new topic"));
                stream.send("acme", 1, TailedStream.row(5, "new topic"));
                assertNumbers(tail.rows(6), 0, 6);
                assertThat(tail.notes())
                        .containsExactly(
                                "stream 'grows' was deleted; waiting until it is created again",
                                "the stream is there again",
                                "stream 'grows' was created again; continuing from its beginning");
            }
        }
    }

    @Test
    void losesNothingWhileTheBrokerIsAway() throws Exception {
        try (Service broker = TestServices.kafka();
                TailedStream stream = new TailedStream(broker, "away", 2)) {
            catalog.ensureTable("acme", "away", NUMBERED);
            try (Following tail = new Following(broker, "acme", "away", new TailStart.End(), Optional.empty())) {
                for (int n = 0; n < 10_000; n++) {
                    stream.send("acme", n % 2, TailedStream.row(n, "row"));
                }
                tail.rows(1);
                broker.kill();
                for (int n = 10_000; n < 20_000; n++) {
                    stream.send("acme", n % 2, TailedStream.row(n, "row"));
                }
                tail.awaitNote("Kafka at");
                broker.restart();
                for (int n = 20_000; n < 30_000; n++) {
                    stream.send("acme", n % 2, TailedStream.row(n, "row"));
                }
                stream.awaitAcknowledged();
                assertNumbers(tail.rows(30_000), 0, 30_000);
                stream.send("acme", 0, TailedStream.row(30_000, "after"));
                assertNumbers(tail.rows(30_001), 0, 30_001);
                assertThat(tail.notes()).hasSize(2).last().isEqualTo("Kafka answers again");
            }
        }
    }

    @Test
    void aTableThatGainsColumnsIsNoticed() throws Exception {
        try (TailedStream stream = new TailedStream(kafka, "wider", 1);
                Following tail = follow("late", "wider", new TailStart.End(), Optional.empty())) {
            stream.send("late", 0, TailedStream.row(0, "no table yet"));
            assertThat(tail.rows(1)
                            .getFirst()
                            .path("attributes")
                            .path("message")
                            .asText())
                    .isEqualTo("no table yet");
            catalog.ensureTable("late", "wider", NUMBERED);
            int n = 1;
            do {
                stream.send("late", 0, TailedStream.row(n++, "row"));
            } while (!tail.rows(n).getLast().path("n").isIntegralNumber());
            assertNumbers(tail.rows(n), 0, n);
        }
    }

    @Test
    void beginsWithTheLastRows() throws Exception {
        try (TailedStream stream = new TailedStream(kafka, "last", 3)) {
            catalog.ensureTable("acme", "last", NUMBERED);
            for (int n = 0; n < 100; n++) {
                stream.send("acme", n % 3, "{\"ts\":%d,\"n\":%d}".formatted(1_700_000_000 + n, n));
                for (int other = 0; other < 200; other++) {
                    stream.send("other", n % 3, TailedStream.row(other, "not ours"));
                }
            }
            stream.awaitAcknowledged();
            for (int count : List.of(1, 10, 99)) {
                try (Following tail = follow("last", new TailStart.Lines(count), Optional.empty())) {
                    assertThat(tail.rows(count))
                            .extracting(TailIT::number)
                            .isEqualTo(IntStream.range(100 - count, 100).boxed().toList());
                }
            }
            try (Following tail = follow("last", new TailStart.Lines(1_000), Optional.empty())) {
                stream.send("acme", 0, TailedStream.row(100, "new"));
                assertNumbers(tail.rows(101), 0, 101);
            }
        }
    }

    @Test
    void rowsOfADeletedTenantStayAway() throws Exception {
        try (TailedStream stream = new TailedStream(kafka, "deleted", 1)) {
            catalog.ensureTable("gone", "deleted", NUMBERED);
            stream.send("gone", 0, TailedStream.row(0, "before"));
            stream.awaitAcknowledged();
            catalog.deleteTenant(
                    "gone", Map.of("deleted", TableOffsets.of(Map.of(new PartitionId(stream.id(), 0), 1L))));
            stream.send("gone", 0, TailedStream.row(1, "after"));
            stream.awaitAcknowledged();
            try (Following tail = follow("gone", "deleted", FROM_THE_FIRST, Optional.empty())) {
                assertThat(tail.rows(1)
                                .getFirst()
                                .path("attributes")
                                .path("message")
                                .asText())
                        .isEqualTo("after");
            }
        }
    }

    @Test
    void aStreamThatIsNotThereIsAnError() {
        assertThatThrownBy(() -> follow("absent", new TailStart.End(), Optional.empty()))
                .isInstanceOf(CordwoodException.class)
                .hasMessage("there is no stream 'absent' in Kafka");
    }

    private static Following follow(String stream, TailStart start, Optional<TextMatch> match) {
        return follow("acme", stream, start, match);
    }

    private static Following follow(String tenant, String stream, TailStart start, Optional<TextMatch> match) {
        return new Following(kafka, tenant, stream, start, match);
    }

    /** Each number once. */
    private static void assertNumbers(List<JsonNode> rows, int from, int to) {
        assertThat(rows).hasSize(to - from);
        assertThat(rows.stream().map(TailIT::number).sorted().toList())
                .isEqualTo(IntStream.range(from, to).boxed().toList());
    }

    private static int number(JsonNode row) {
        return row.has("n")
                ? row.path("n").asInt()
                : Integer.parseInt(row.path("attributes").path("n").asText());
    }

    /** A tail that prints JSON to memory, in a thread of its own. */
    private static final class Following implements AutoCloseable {
        private final Lines out = new Lines();
        private final Lines notes = new Lines();
        private final HotTier tier;
        private final TenantTable table;
        private final Tail tail;
        private final CompletableFuture<Void> following;

        Following(Service kafka, String tenant, String stream, TailStart start, Optional<TextMatch> match) {
            PrintWriter told = new PrintWriter(notes, true);
            Notes toUser = new Notes(line -> told.append(line).append('\n').flush());
            Properties client = new Properties();
            client.setProperty("bootstrap.servers", kafka.address());
            tier = new HotTier(client, DecodingPolicy.DEFAULT, 0);
            table = TenantTable.open(catalog, tenant, stream, Duration.ofMillis(50), toUser);
            try {
                tail = new Tail(
                        new TailReader(tier, stream, table, match),
                        new TailOutput(new LineOutput(new PrintWriter(out)), new JsonFormat()),
                        toUser);
                tail.begin(start);
            } catch (RuntimeException e) {
                table.close();
                tier.close();
                throw e;
            }
            following = CompletableFuture.runAsync(
                    this::follow, task -> Thread.ofPlatform().start(task));
        }

        private void follow() {
            try {
                tail.follow();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        List<JsonNode> rows(int count) throws Exception {
            List<JsonNode> rows = new ArrayList<>();
            for (String line : out.await(count)) {
                rows.add(JSON.readTree(line));
            }
            return rows;
        }

        List<String> notes() throws InterruptedException {
            return notes.await(0);
        }

        void awaitNote(String part) throws InterruptedException {
            notes.await(lines -> lines.stream().anyMatch(line -> line.contains(part)));
        }

        @Override
        public void close() {
            tail.stop();
            following.join();
            table.close();
            tier.close();
        }
    }
}
