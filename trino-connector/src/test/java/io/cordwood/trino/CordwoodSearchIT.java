package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.query.QueryEngine;
import io.cordwood.query.QuerySettings;
import io.cordwood.query.language.BoundSearch;
import io.cordwood.query.language.SearchBinder;
import io.cordwood.query.language.SearchParser;
import io.cordwood.query.pattern.LogPattern;
import io.cordwood.query.pattern.LogPatterns;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.scan.TimeBin;
import io.cordwood.query.search.Histogram;
import io.cordwood.query.search.PageStart;
import io.cordwood.query.search.Patterns;
import io.cordwood.query.search.RowAnswer;
import io.cordwood.query.search.RowChunk;
import io.cordwood.query.search.RowPosition;
import io.cordwood.query.search.RowQuestion;
import io.cordwood.query.search.RowSearch;
import io.cordwood.query.search.ScanLimits;
import io.cordwood.query.search.TableReads;
import io.cordwood.query.search.TableScan;
import io.cordwood.query.search.Tail;
import io.cordwood.query.search.TailRows;
import io.cordwood.query.search.TextColumn;
import io.cordwood.query.search.TopValues;
import io.cordwood.query.snapshot.HotTierReader;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Searches without an SQL engine give what SQL gives: rows in order, page by page, counts over time, and values. */
class CordwoodSearchIT {
    private static final int QUESTIONS = Integer.getInteger("cordwood.test.search.questions", 40);
    private static final ScanLimits LIMITS = new ScanLimits(1L << 30, 1L << 30, Duration.ofMinutes(1), 2);
    private static final List<ColumnDefinition> COLUMNS = List.of(
            ColumnDefinition.of("n", ColumnType.BIGINT),
            ColumnDefinition.keyword("level"),
            ColumnDefinition.text("message"));
    private static final Instant NOW = Instant.parse("2026-01-11T00:00:00Z");

    @TempDir
    private static Path home;

    private static Service kafka;
    private static CordwoodQueryRunner runner;
    private static SampleTopic topic;
    private static ExecutorService threads;
    private static QueryEngine engine;
    private static TableReads reads;

    /** Cold rows of two partitions in several LogBlocks, hot rows of both, late ones among them; times repeat. */
    @BeforeAll
    static void start() throws Exception {
        kafka = TestServices.kafka();
        runner = CordwoodQueryRunner.start(
                home, Map.of("cordwood.kafka-bootstrap-servers", kafka.address(), "cordwood.streams", "logs"));
        topic = SampleTopic.create(kafka, "logs", 2);
        Random random = new Random(5);
        TwoTiers.fill(runner, topic, COLUMNS, random, CordwoodSearchIT::rows, CordwoodSearchIT::stored);
        topic.send("other", 0, rows(random, 50_000, 300, 20));
        // In a catalog without Kafka: no job is here to flush what a deletion waits for
        runner.addCatalog("cold", Map.of("cordwood.streams", "logs"));
        runner.rows("DELETE FROM cold.acme.logs WHERE n BETWEEN 4000 AND 4100");
        threads = new ThreadPoolExecutor(0, 2, 1, TimeUnit.SECONDS, new SynchronousQueue<>());
        engine = new QueryEngine(new QuerySettings(
                runner.catalogUri(),
                Map.of(),
                List.of("logs"),
                Duration.ofSeconds(1),
                Duration.ofMinutes(1),
                4,
                4,
                new QuerySettings.Caches(
                        1 << 20, 1 << 20, 1 << 20, 8 << 20, 8 << 20, 8 << 20, Optional.empty(), 1 << 20),
                new HotTierReader.Settings(
                        Optional.of(kafka.address()),
                        Optional.empty(),
                        Optional.empty(),
                        Duration.ofMillis(100),
                        1 << 20,
                        "",
                        false,
                        8 << 20)));
        reads = engine.tableReads(TableReads.ALL_OPTIMISATIONS, TableReads.BOTH_TIERS, threads);
    }

    @AfterAll
    static void stop() throws Exception {
        engine.close();
        threads.shutdownNow();
        topic.close();
        runner.close();
        kafka.close();
    }

    private static List<SampleRow> rows(Random random, int first, int count, int batch) {
        List<SampleRow> rows = new ArrayList<>();
        for (int n = first; n < first + count; n++) {
            int late = random.nextInt(10) == 0 ? random.nextInt(batch + 1) : 0;
            Map<String, Object> values = new HashMap<>(Map.of("n", (long) n));
            if (n % 11 != 0) {
                values.put("level", n % 7 == 0 ? "fatal error" : n % 13 == 0 ? "FATAL" : n % 3 == 0 ? "ERROR" : "INFO");
            }
            if (n % 17 != 0) {
                values.put("message", n % 5 == 0 ? "disk full " + n : "row " + n);
            }
            if (n % 4 == 0) {
                values.put("extra", "x" + n % 10);
            }
            rows.add(new SampleRow(SampleLogs.START_MICROS + (batch - late) * 1_000_000L + random.nextInt(40), values));
        }
        return rows;
    }

    /** As the ingest job stores them: a member without a column goes to the map of attributes. */
    private static List<SampleRow> stored(List<SampleRow> rows) {
        return rows.stream()
                .map(row -> {
                    Map<String, Object> values = new HashMap<>(row.values());
                    Object extra = values.remove("extra");
                    if (extra != null) {
                        values.put("attributes", Map.of("extra", extra));
                    }
                    return new SampleRow(row.micros(), values);
                })
                .toList();
    }

    private static TableScan open() {
        return reads.open(engine.snapshot(), "acme", "logs", LIMITS).orElseThrow();
    }

    private static ScanFilter filter(String text, TimeRange time) {
        BoundSearch bound = new SearchBinder(open().table().columns().columns(), NOW).bind(SearchParser.parse(text));
        return new ScanFilter(bound.time(), bound.conjuncts(), true).within(time);
    }

    private static TimeRange time(Random random) {
        if (random.nextBoolean()) {
            return TimeRange.ALL;
        }
        long from = SampleLogs.START_MICROS + random.nextInt(12_000_000);
        return new TimeRange(from, from + random.nextInt(6_000_000));
    }

    private static String within(TimeRange time) {
        return time.equals(TimeRange.ALL)
                ? "true"
                : "ts BETWEEN %s AND %s".formatted(literal(time.fromMicros()), literal(time.toMicros()));
    }

    private static String literal(long micros) {
        return "TIMESTAMP '%s UTC'"
                .formatted(Instant.EPOCH
                        .plus(micros, ChronoUnit.MICROS)
                        .toString()
                        .replace('T', ' ')
                        .replace("Z", ""));
    }

    /** Threads read LogBlocks in any order. */
    @Test
    void patternsAreTheSameWhateverTheThreads() {
        Random random = new Random(6);
        ScanLimits oneThread = new ScanLimits(LIMITS.maxBytes(), LIMITS.maxHotBytes(), LIMITS.timeout(), 1);
        for (int i = 0; i < QUESTIONS; i++) {
            ScanFilter filter = filter(
                    List.of("", "disk", "-level:info", "attributes.extra:x4").get(i % 4), time(random));
            int limit = 1 + random.nextInt(4);
            LogPatterns expected = patterns(oneThread, filter, limit);
            for (int again = 0; again < 3; again++) {
                assertThat(patterns(LIMITS, filter, limit)).as("%s", filter).isEqualTo(expected);
            }
            assertThat(expected.patterns().stream().mapToLong(LogPattern::count).sum()
                            + expected.others().count()
                            + expected.withoutText().count())
                    .isEqualTo(expected.rows());
        }
        assertThat(patterns(LIMITS, ScanFilter.ANY, 10).patterns())
                .extracting(LogPattern::template)
                .containsExactly("row <num>", "disk full <num>");
    }

    private static LogPatterns patterns(ScanLimits limits, ScanFilter filter, int limit) {
        TableScan scan = reads.open(engine.snapshot(), "acme", "logs", limits).orElseThrow();
        return Patterns.find(scan, filter, TextColumn.of(scan.table(), Optional.empty()), limit);
    }

    @Test
    void pagesTogetherAreTheRowsThatSqlGivesInItsOrder() {
        Random random = new Random(1);
        for (int question = 0; question < QUESTIONS; question++) {
            RandomSearch search = RandomSearch.of(random);
            TimeRange time = time(random);
            boolean newestFirst = random.nextBoolean();
            int limit = List.of(1, 7, 100, 1_000, 20_000).get(random.nextInt(5));
            int most = limit == 1 ? 20 : limit * 5;
            String direction = newestFirst ? "DESC" : "ASC";
            List<Long> expected = numbers("""
                    SELECT n FROM logs WHERE %s AND %s
                    ORDER BY ts %s, "$kafka_partition" %3$s, "$kafka_offset" %3$s LIMIT %d
                    """.formatted(search.sql(), within(time), direction, most));
            List<Long> found = new ArrayList<>();
            Optional<PageStart> next = Optional.empty();
            do {
                TableScan scan = open();
                RowQuestion page = new RowQuestion(
                        filter(search.text(), time),
                        newestFirst,
                        limit,
                        next,
                        List.of(QueryColumn.stored("n", ColumnType.BIGINT, IndexKind.NONE)));
                try (RowAnswer rows = RowSearch.find(scan, page)) {
                    next = rows.next();
                    for (Optional<RowChunk> chunk = rows.nextChunk(); chunk.isPresent(); chunk = rows.nextChunk()) {
                        LongVector numbers = (LongVector) chunk.get().vectors().getFirst();
                        for (int i = 0; i < chunk.get().size(); i++) {
                            found.add(numbers.values()[chunk.get().places()[i]]);
                        }
                    }
                }
            } while (next.isPresent() && found.size() < most);
            assertThat(found.subList(0, Math.min(most, found.size())))
                    .as("%s | %s | %s", search.text(), search.sql(), time)
                    .isEqualTo(expected);
        }
    }

    /** Many rows have the same time, so more lie between a row and its neighbours than a page of them. */
    @Test
    void rowsAroundARowAreThoseOfWindowFunctions() {
        List<Long> ordered = numbers("""
                SELECT n FROM (
                    SELECT n, row_number() OVER (ORDER BY ts, "$kafka_partition", "$kafka_offset") place FROM logs)
                ORDER BY place
                """);
        List<RowPosition> positions = new ArrayList<>();
        List<Long> all = rows(false, ordered.size() + 1, Optional.empty(), positions);
        assertThat(all).isEqualTo(ordered);
        Random random = new Random(4);
        for (int question = 0; question < QUESTIONS; question++) {
            int row = random.nextInt(all.size());
            int around = List.of(1, 5, 200).get(random.nextInt(3));
            Optional<PageStart> start = Optional.of(PageStart.after(positions.get(row), 1));
            assertThat(rows(false, around, start, new ArrayList<>()))
                    .isEqualTo(ordered.subList(row + 1, Math.min(ordered.size(), row + 1 + around)));
            assertThat(rows(true, around, start, new ArrayList<>()))
                    .isEqualTo(ordered.subList(Math.max(0, row - around), row).reversed());
        }
    }

    /** The numbers of rows; adds their positions. */
    private static List<Long> rows(
            boolean newestFirst, int limit, Optional<PageStart> start, List<RowPosition> positions) {
        RowQuestion question = new RowQuestion(
                filter("", TimeRange.ALL),
                newestFirst,
                limit,
                start,
                List.of(QueryColumn.stored("n", ColumnType.BIGINT, IndexKind.NONE)));
        List<Long> numbers = new ArrayList<>();
        try (RowAnswer answer = RowSearch.find(open(), question)) {
            for (Optional<RowChunk> chunk = answer.nextChunk(); chunk.isPresent(); chunk = answer.nextChunk()) {
                LongVector values = (LongVector) chunk.get().vectors().getFirst();
                for (int place : chunk.get().places()) {
                    numbers.add(values.values()[place]);
                }
                positions.addAll(chunk.get().positions());
            }
        }
        return numbers;
    }

    private static List<Long> numbers(String sql) {
        return runner.rows(sql).stream().map(row -> (Long) row.getFirst()).toList();
    }

    @Test
    void histogramsAreThoseOfGroupBy() {
        Random random = new Random(2);
        for (int question = 0; question < QUESTIONS; question++) {
            RandomSearch search = RandomSearch.of(random);
            TimeRange time = time(random);
            TimeBin bin =
                    new TimeBin.Bin(List.of(1L, 10L, 500L, 3_000L, 86_400_000L).get(random.nextInt(5)));
            boolean byLevel = random.nextBoolean();
            Map<List<Object>, Long> expected = new HashMap<>();
            runner.rows("""
                    SELECT CAST(floor(to_unixtime(ts) * 1000 / %d) AS bigint) * %1$d, %s, count(*) FROM logs
                    WHERE %s AND %s GROUP BY 1, 2
                    """.formatted(
                            ((TimeBin.Bin) bin).interval(), byLevel ? "level" : "''", search.sql(), within(time)))
                    .forEach(row ->
                            expected.put(List.of(row.get(0), Optional.ofNullable(row.get(1))), (Long) row.get(2)));
            Optional<QueryColumn> by =
                    byLevel ? Optional.of(open().table().columns().columns().get("level")) : Optional.empty();
            Histogram histogram = Histogram.count(open(), filter(search.text(), time), bin, by);
            Map<List<Object>, Long> found = new HashMap<>();
            histogram.buckets().forEach((start, bucket) -> {
                if (byLevel) {
                    bucket.counts().forEach(count -> found.put(List.of(start, count.value()), count.rows()));
                    assertThat(bucket.counts().stream()
                                    .mapToLong(count -> count.rows())
                                    .sum())
                            .isEqualTo(bucket.rows());
                } else {
                    found.put(List.of(start, Optional.of("")), bucket.rows());
                }
            });
            assertThat(found).as("%s | %s", search.text(), search.sql()).isEqualTo(expected);
        }
    }

    @Test
    void valuesAreThoseOfGroupBy() {
        Random random = new Random(3);
        for (int question = 0; question < QUESTIONS; question++) {
            RandomSearch search = RandomSearch.of(random);
            String column = List.of("level", "message", "n").get(random.nextInt(3));
            Map<Optional<String>, Long> expected = new HashMap<>();
            runner.rows("SELECT CAST(%s AS varchar), count(*) FROM logs WHERE %s GROUP BY 1"
                            .formatted(column, search.sql()))
                    .forEach(row -> expected.put(Optional.ofNullable((String) row.get(0)), (Long) row.get(1)));
            TopValues values = TopValues.find(
                    open(),
                    filter(search.text(), TimeRange.ALL),
                    open().table().columns().columns().get(column),
                    20_000);
            Map<Optional<String>, Long> found = new HashMap<>();
            values.values().forEach(count -> found.put(count.value(), count.rows()));
            if (values.nulls() > 0) {
                found.put(Optional.empty(), values.nulls());
            }
            assertThat(found).as("%s | %s", search.text(), search.sql()).isEqualTo(expected);
            assertThat(values.isApproximate()).isFalse();
        }
    }

    @Test
    void aTailHasEachRowThatArrivesOnce() throws Exception {
        try (Tail all = engine.liveTails().follow("late", "logs", ScanFilter.ANY);
                Tail disks = engine.liveTails().follow("late", "logs", filter("disk level:error", TimeRange.ALL))) {
            List<SampleRow> rows = rows(new Random(9), 70_000, 600, 3);
            topic.send("late", 0, rows.subList(0, 300));
            topic.send("late", 1, rows.subList(300, 600));
            topic.send("other", 0, rows);
            assertThat(received(all, 600)).hasSize(600).doesNotHaveDuplicates();
            // No table yet, so the level is an attribute, and no condition on a column is true
            assertThat(disks.take(Duration.ofMillis(1))).isEmpty();
        }
        try (Tail disks = engine.liveTails().follow("acme", "logs", filter("disk n:>=80000", TimeRange.ALL))) {
            topic.send("acme", 1, rows(new Random(9), 80_000, 100, 3));
            assertThat(received(disks, 19)).hasSize(19).doesNotHaveDuplicates();
        }
    }

    @Test
    void aTailThatIsTooSlowIsToldWhatItLost() throws Exception {
        try (Tail slow = engine.liveTails().follow("slow", "logs", ScanFilter.ANY)) {
            List<SampleRow> rows = new ArrayList<>();
            for (int n = 0; n < 4_000; n++) {
                rows.add(new SampleRow(SampleLogs.START_MICROS + n, Map.of("message", "x".repeat(2_000))));
            }
            topic.send("slow", 0, rows);
            long received = 0;
            long dropped = 0;
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            // The first rows are taken only when the follower has read on
            try (Tail quick = engine.liveTails().follow("quick", "logs", ScanFilter.ANY)) {
                topic.send("quick", 0, List.of(new SampleRow(SampleLogs.START_MICROS, Map.of("message", "last"))));
                assertThat(received(quick, 1)).hasSize(1);
            }
            while (received + dropped < 4_000 && System.nanoTime() < deadline) {
                for (TailRows some : slow.take(Duration.ofSeconds(1))) {
                    received += some.rows().size();
                    dropped += some.dropped();
                }
            }
            assertThat(received + dropped).isEqualTo(4_000);
            assertThat(dropped).isPositive();
        }
    }

    /** The positions of rows until there are so many. */
    private static List<Object> received(Tail tail, int count) throws InterruptedException {
        List<Object> positions = new ArrayList<>();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (positions.size() < count && System.nanoTime() < deadline) {
            for (TailRows rows : tail.take(Duration.ofSeconds(1))) {
                assertThat(rows.dropped()).isZero();
                positions.addAll(rows.rows().positions());
            }
        }
        return positions;
    }
}
