package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.trino.Session;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A deletion applies to every row that was acknowledged when it began, also to those that were still in Kafka. */
@Timeout(120)
class CordwoodHotDeleteIT {
    private static final List<ColumnDefinition> NUMBERED =
            List.of(ColumnDefinition.of("n", ColumnType.BIGINT), ColumnDefinition.text("message"));

    @TempDir
    private static Path home;

    private static Service kafka;
    private static CordwoodQueryRunner runner;
    private static ExecutorService queries;

    @BeforeAll
    static void start() throws Exception {
        kafka = TestServices.kafka();
        runner = CordwoodQueryRunner.start(
                home,
                Map.of(
                        "cordwood.kafka-bootstrap-servers",
                        kafka.address(),
                        "cordwood.streams",
                        "waiting,flushed,arriving,anew"));
        queries = Executors.newCachedThreadPool();
    }

    @AfterAll
    static void stop() throws Exception {
        queries.shutdownNow();
        runner.close();
        kafka.close();
    }

    @Test
    void withoutAFlushNothingIsDeletedAndTheErrorSaysWhatToDo() throws Exception {
        try (SampleTopic topic = SampleTopic.create(kafka, "waiting", 3)) {
            SampleTables tables = tables(topic);
            runner.catalog().ensureTable("acme", "waiting", NUMBERED);
            topic.send("acme", 1, numbered(0, 100));
            topic.send("neighbour", 2, numbered(0, 10));
            tables.write("acme", "waiting", 1, NUMBERED, numbered(0, 60));
            assertThatThrownBy(() -> runner.rows(shortTimeout(), "DELETE FROM waiting WHERE n < 50"))
                    .hasMessageContaining("No row was deleted")
                    .hasMessageContaining("in partitions 1 of topic 'waiting'")
                    .hasMessageContaining("delete_flush_timeout");
            assertThat(runner.rows("SELECT count(*) FROM waiting")).containsExactly(List.of(100L));
            assertThat(runner.catalog().flushRequests("waiting"))
                    .containsExactly(Map.entry("acme", TableOffsets.of(Map.of(new PartitionId(topic.id(), 1), 100L))));
            // Also with hot rows that queries do not read
            assertThatThrownBy(() -> runner.rows(
                            Session.builder(shortTimeout())
                                    .setCatalogSessionProperty("cordwood", "hot_tail", "off")
                                    .build(),
                            "DELETE FROM waiting WHERE n < 50"))
                    .hasMessageContaining("No row was deleted");

            runner.catalog().advanceArchivedThrough("waiting", Map.of(new PartitionId(topic.id(), 1), 60L));
            assertThat(runner.catalog().flushRequests("waiting")).containsOnlyKeys("acme");
            tables.write("acme", "waiting", 1, NUMBERED, numbered(60, 100));
            runner.catalog().advanceArchivedThrough("waiting", Map.of(new PartitionId(topic.id(), 1), 100L));
            assertThat(runner.catalog().flushRequests("waiting"))
                    .as("archived-through has passed it")
                    .isEmpty();
            // Hot rows of the neighbour are nothing to it
            assertThat(runner.trino()
                            .execute(shortTimeout(), "DELETE FROM waiting WHERE n < 50")
                            .getUpdateCount())
                    .hasValue(50);
            assertThat(runner.rows("SELECT count(*), min(n) FROM waiting")).containsExactly(List.of(50L, 50L));
            assertThat(runner.rows("SELECT count(*) FROM neighbour.waiting")).containsExactly(List.of(10L));
        }
    }

    @Test
    void itWaitsForTheFlushAndDeletesWhatWasThereWhenItBegan() throws Exception {
        try (SampleTopic topic = SampleTopic.create(kafka, "flushed", 1)) {
            SampleTables tables = tables(topic);
            runner.catalog().ensureTable("acme", "flushed", NUMBERED);
            topic.send("acme", 0, numbered(0, 200));
            CompletableFuture<Long> deleted = CompletableFuture.supplyAsync(
                    () -> runner.trino()
                            .execute("DELETE FROM flushed WHERE match(message, 'number') AND n % 2 = 0")
                            .getUpdateCount()
                            .orElseThrow(),
                    queries);
            while (runner.catalog().flushRequests("flushed").isEmpty()) {
                assertThat(deleted).isNotDone();
                Thread.sleep(50);
            }
            topic.send("acme", 0, numbered(200, 300));
            tables.write("acme", "flushed", 0, NUMBERED, numbered(0, 120));
            Thread.sleep(1_200);
            assertThat(deleted).isNotDone();
            // The job hands over all that it has, also rows that came after the statement began.
            tables.write("acme", "flushed", 0, NUMBERED, numbered(120, 260));
            assertThat(deleted.get()).isEqualTo(100);
            assertThat(runner.rows("SELECT count(*), count_if(n < 200), count_if(n % 2 = 0) FROM flushed"))
                    .containsExactly(List.of(200L, 100L, 50L));
            tables.write("acme", "flushed", 0, NUMBERED, numbered(260, 300));
            assertThat(runner.rows("SELECT count(*), count_if(n < 200), count_if(n % 2 = 0) FROM flushed"))
                    .containsExactly(List.of(200L, 100L, 50L));
        }
    }

    /** Rows of a topic that was made anew wait in the job; those of the next topic came later than the statement. */
    @Test
    void rowsOfEarlierTopicsAreWaitedForAndThoseOfLaterOnesStay() throws Exception {
        try (SampleTopic topic = SampleTopic.create(kafka, "anew", 1)) {
            PartitionId first = new PartitionId(topic.id(), 0);
            runner.catalog().ensureTable("acme", "anew", NUMBERED);
            runner.catalog().setTopic("anew", first.topicId());
            runner.catalog().advanceArchivedThrough("anew", Map.of(first, 0L));
            topic.send("acme", 0, numbered(0, 10));
            topic.delete();
            topic.create(1);
            PartitionId second = new PartitionId(topic.id(), 0);
            topic.send("acme", 0, numbered(10, 20));
            CompletableFuture<Long> deleted = CompletableFuture.supplyAsync(
                    () -> runner.trino()
                            .execute("DELETE FROM anew WHERE ts IS NOT NULL")
                            .getUpdateCount()
                            .orElseThrow(),
                    queries);
            while (runner.catalog().flushRequests("anew").isEmpty()) {
                assertThat(deleted).isNotDone();
                Thread.sleep(50);
            }
            assertThat(runner.catalog().flushRequests("anew"))
                    .isEqualTo(Map.of("acme", TableOffsets.of(Map.of(first, TableOffsets.END, second, 10L))));
            tables(topic).write("acme", "anew", 0, NUMBERED, numbered(10, 20));
            runner.catalog().advanceArchivedThrough("anew", Map.of(first, 0L, second, 10L));
            Thread.sleep(1_200);
            assertThat(deleted).as("rows of the first topic wait").isNotDone();
            topic.delete();
            topic.create(1);
            topic.send("acme", 0, numbered(20, 30));
            tables(topic).write("acme", "anew", 0, NUMBERED, numbered(20, 30));
            new SampleTables(runner.catalog(), CordwoodQueryRunner.SMALL_BLOCKS, first.topicId())
                    .write("acme", "anew", 0, NUMBERED, numbered(0, 10));
            runner.catalog().advanceArchivedThrough("anew", Map.of(first, TableOffsets.END));
            assertThat(deleted.get()).isEqualTo(20);
            assertThat(runner.rows("SELECT count(*), min(n) FROM anew")).containsExactly(List.of(10L, 20L));
        }
    }

    @Test
    void aTenantWithoutATableIsWaitedForToo() throws Exception {
        try (SampleTopic topic = SampleTopic.create(kafka, "arriving", 1)) {
            SampleTables tables = tables(topic);
            topic.send("newcomer", 0, numbered(0, 40));
            CompletableFuture<Long> deleted = CompletableFuture.supplyAsync(
                    () -> runner.trino()
                            .execute("DELETE FROM newcomer.arriving WHERE ts IS NOT NULL")
                            .getUpdateCount()
                            .orElseThrow(),
                    queries);
            while (runner.catalog().flushRequests("arriving").isEmpty()) {
                assertThat(deleted).isNotDone();
                Thread.sleep(50);
            }
            tables.write("newcomer", "arriving", 0, NUMBERED, numbered(0, 40));
            assertThat(deleted.get()).isEqualTo(40);
            assertThat(runner.rows("SELECT count(*) FROM newcomer.arriving")).containsExactly(List.of(0L));
        }
    }

    private static SampleTables tables(SampleTopic topic) throws Exception {
        return new SampleTables(runner.catalog(), CordwoodQueryRunner.SMALL_BLOCKS, topic.id());
    }

    private static Session shortTimeout() {
        return Session.builder(runner.trino().getDefaultSession())
                .setCatalogSessionProperty("cordwood", "delete_flush_timeout", "1s")
                .build();
    }

    private static List<SampleRow> numbered(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(n -> new SampleRow(
                        SampleLogs.START_MICROS + n * 1_000_003L, Map.of("n", (long) n, "message", "row number " + n)))
                .toList();
    }
}
