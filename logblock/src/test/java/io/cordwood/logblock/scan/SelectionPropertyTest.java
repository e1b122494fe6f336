package io.cordwood.logblock.scan;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.match.MatchQuery;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.PredicateEvaluator;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.testing.BytesReader;
import io.cordwood.logblock.testing.SampleRows;
import io.cordwood.logblock.vector.DecodedCache;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever mix of index, time index, statistics and scan answers: the rows are those of the values. */
public class SelectionPropertyTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 5, 63, 700, 701, 3000})
    void selectionEqualsEvaluationOnValues(int rows) throws IOException {
        requireSelections(rows, rows, 250);
    }

    /** Beside the fixed seeds others, which jqwik prints. */
    @Property(tries = 4, shrinking = ShrinkingMode.OFF, edgeCases = EdgeCasesMode.NONE)
    void selectionEqualsEvaluationOnValuesWithAnySeed(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 3000) int rows) throws IOException {
        requireSelections(seed, rows, 50);
    }

    private static void requireSelections(long seed, int rows, int predicates) throws IOException {
        SampleRows sample = new SampleRows(seed, rows);
        LogBlock block = LogBlockTest.open(sample.write(SampleRows.SMALL_BLOCKS));
        assertThat(block.hasIndex()).isTrue();
        Random random = new Random(seed);
        for (int i = 0; i < predicates; i++) {
            Predicate predicate = predicate(random, 3);
            TimeRange time = timeRange(random, sample);
            int[] expected = expected(sample, predicate, time);
            for (ReadOptions options : SampleRows.ALL_OPTIONS) {
                ReadMetrics metrics = new ReadMetrics();
                assertThat(block.select(time, predicate, options, metrics).toArray())
                        .as("%s in %s with %s", predicate, time, options)
                        .isEqualTo(expected);
                assertThat(metrics.indexesUnusable.sum()).isZero();
            }
        }
    }

    /** Batch by batch, from either end, and with values that share their column blocks with the conditions. */
    @ParameterizedTest
    @ValueSource(ints = {1, 63, 701, 3000})
    void scansGiveRowsAndValuesOfTheSelection(int rows) throws IOException {
        requireScans(rows, rows, 250);
    }

    @Property(tries = 4, shrinking = ShrinkingMode.OFF, edgeCases = EdgeCasesMode.NONE)
    void scansGiveRowsAndValuesOfTheSelectionWithAnySeed(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 3000) int rows) throws IOException {
        requireScans(seed, rows, 50);
    }

    private static void requireScans(long seed, int rows, int predicates) throws IOException {
        requireScans(
                new SampleRows(seed, rows),
                LogBlockTest.DECODED,
                SampleRows.SMALL_BLOCKS,
                200,
                new Random(seed),
                predicates);
    }

    /** Of their pages of text only the first rows are decoded, up to the last one that is needed. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void scansOfLargePagesGiveRowsAndValuesOfTheSelection(int seed) throws IOException {
        DecodedCache decoded = new DecodedCache(seed == 1 ? 0 : 1 << 20);
        // Blocks as this writer makes them, and as it made them before
        LogBlockOptions large = SampleRows.LARGE_PAGES;
        LogBlockOptions options = new LogBlockOptions(
                3, large.textPageBytes(), seed << 16, large.pageRows(), large.rowGroupRows(), large.minIndexedRows());
        requireScans(new SampleRows(seed, 20_000), decoded, options, 9000, new Random(seed), 60);
    }

    private static void requireScans(
            SampleRows sample,
            DecodedCache decoded,
            LogBlockOptions options,
            int maxBatch,
            Random random,
            int predicates)
            throws IOException {
        LogBlock block = LogBlock.open(new BytesReader(sample.write(options)), new ReadMetrics(), decoded);
        for (int i = 0; i < predicates; i++) {
            Predicate predicate = predicate(random, 3);
            TimeRange time = timeRange(random, sample);
            ScanDirection direction = List.of(ScanDirection.ALL, ScanDirection.FIRST, ScanDirection.LAST)
                    .get(random.nextInt(3));
            ReadMetrics metrics = new ReadMetrics();
            RowRange range = block.rows(time, ReadOptions.DEFAULTS, metrics);
            LogBlockScan scan = block.scan(range, predicate, direction, ReadOptions.DEFAULTS, metrics)
                    .withBatches(1 + random.nextInt(maxBatch / 5), 1 + random.nextInt(maxBatch));
            BitSet found = new BitSet();
            for (Optional<RowSet> next = scan.next(); next.isPresent(); next = scan.next()) {
                int[] batch = next.get().toArray();
                for (int row : batch) {
                    assertThat(row).isBetween(scan.batch().from(), scan.batch().to() - 1);
                    assertThat(found.get(row)).isFalse();
                    found.set(row);
                }
                if (random.nextBoolean()) {
                    scan.prefetch(SampleRows.SCHEMA.columns(), batch);
                }
                for (Column column : SampleRows.SCHEMA.columns()) {
                    if (random.nextInt(3) == 0) {
                        ColumnCursor cursor = scan.cursor(column);
                        // Both as one array of rows, and as two of which the first knows nothing of the second
                        int split = random.nextInt(batch.length + 1);
                        int[] first = Arrays.copyOf(batch, split);
                        int[] second = Arrays.copyOfRange(batch, split, batch.length);
                        LogBlockTest.assertSame(column, sample, cursor.read(first, 0, split), first);
                        LogBlockTest.assertSame(
                                column, sample, cursor.read(batch, split, batch.length - split), second);
                    }
                }
            }
            assertThat(found.stream().toArray())
                    .as("%s in %s, %s", predicate, time, direction)
                    .isEqualTo(expected(sample, predicate, time));
        }
    }

    /** Each on its own thread, with an index that is whole or damaged. */
    @Test
    void partsOfAScanGiveItsRows() throws Exception {
        SampleRows sample = new SampleRows(12, 3000);
        byte[] bytes = sample.write(SampleRows.SMALL_BLOCKS);
        IndexBytes place = IndexBytes.of(bytes);
        Random random = new Random(12);
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int i = 0; i < 150; i++) {
                boolean isWhole = i % 3 > 0;
                LogBlock block = LogBlockTest.open(
                        isWhole
                                ? bytes
                                : flipped(bytes, place.coldStart() + random.nextInt(place.coldLength()), random));
                Predicate predicate = predicate(random, 2);
                TimeRange time = timeRange(random, sample);
                RowRange range = block.rows(time, ReadOptions.DEFAULTS, new ReadMetrics());
                LogBlockScan scan =
                        block.scan(range, predicate, ScanDirection.ALL, ReadOptions.DEFAULTS, new ReadMetrics());
                List<LogBlockScan> parts = new ArrayList<>();
                for (int from = range.from(); from < range.to(); ) {
                    int to = Math.min(range.to(), from + 1 + random.nextInt(1000));
                    parts.add(scan.part(new RowRange(from, to)));
                    from = to;
                }
                BitSet found = new BitSet();
                for (Future<RowSet> part : threads.invokeAll(
                        parts.stream().<Callable<RowSet>>map(part -> part::all).toList())) {
                    for (int row : part.get().toArray()) {
                        found.set(row);
                    }
                }
                assertThat(found.stream().toArray())
                        .as("%s in %s", predicate, time)
                        .isEqualTo(expected(sample, predicate, time));
            }
        }
    }

    @Test
    void damagedColdIndexBytesGiveTheSameRows() throws IOException {
        SampleRows sample = new SampleRows(7, 2000);
        byte[] bytes = sample.write(SampleRows.SMALL_BLOCKS);
        IndexBytes place = IndexBytes.of(bytes);
        Random random = new Random(7);
        List<Predicate> predicates =
                Stream.generate(() -> predicate(random, 1)).limit(40).toList();
        List<int[]> expected = predicates.stream()
                .map(predicate -> expected(sample, predicate, TimeRange.ALL))
                .toList();
        int unusable = 0;
        for (int i = 0; i < 150; i++) {
            byte[] damaged = flipped(bytes, place.coldStart() + random.nextInt(place.coldLength()), random);
            // Lucene can loop without end on postings that are damaged
            unusable += Assertions.assertTimeoutPreemptively(
                    Duration.ofSeconds(20), () -> assertSelects(damaged, predicates, expected));
        }
        assertThat(unusable).isPositive();
    }

    /** How often the index could not be used. */
    private static int assertSelects(byte[] bytes, List<Predicate> predicates, List<int[]> expected)
            throws IOException {
        ReadMetrics metrics = new ReadMetrics();
        LogBlock block = LogBlock.open(new BytesReader(bytes), metrics);
        for (int i = 0; i < predicates.size(); i++) {
            assertThat(block.select(TimeRange.ALL, predicates.get(i), ReadOptions.DEFAULTS, metrics)
                            .toArray())
                    .as("%s", predicates.get(i))
                    .isEqualTo(expected.get(i));
        }
        return metrics.indexesUnusable.intValue();
    }

    @Test
    void damagedHotIndexBytesAreNotUsed() throws IOException {
        SampleRows sample = new SampleRows(8, 2000);
        byte[] bytes = sample.write(SampleRows.SMALL_BLOCKS);
        IndexBytes place = IndexBytes.of(bytes);
        Random random = new Random(8);
        for (int i = 0; i < 300; i++) {
            byte[] damaged = flipped(bytes, place.hotStart() + random.nextInt(place.hotLength()), random);
            assertScanned(damaged, sample, predicate(random, 2), timeRange(random, sample));
        }
    }

    /** Its terms or its layout may be others, although its checksums are right. */
    @Test
    void indexOfAnotherVersionIsNotUsed() throws IOException {
        SampleRows sample = new SampleRows(9, 2000);
        byte[] bytes = sample.write(SampleRows.SMALL_BLOCKS);
        IndexBytes place = IndexBytes.of(bytes);
        Predicate predicate = new Predicate.Match(SampleRows.MESSAGE, MatchQuery.parse("user"));

        byte[] ofAnotherAnalyzer = withoutFooterChecksum(bytes);
        ofAnotherAnalyzer[place.hotStart() + Integer.BYTES]++; // behind the magic number
        CRC32C checksum = new CRC32C();
        checksum.update(ofAnotherAnalyzer, place.hotStart(), place.hotLength());
        byte[] digits = HexFormat.of().toHexDigits((int) checksum.getValue()).getBytes(ISO_8859_1);
        System.arraycopy(digits, 0, ofAnotherAnalyzer, place.checksumAt(), digits.length);
        assertScanned(ofAnotherAnalyzer, sample, predicate, TimeRange.ALL);

        byte[] ofAnotherFormat = withoutFooterChecksum(bytes);
        ofAnotherFormat[place.versionAt()]++;
        assertScanned(ofAnotherFormat, sample, predicate, TimeRange.ALL);
    }

    /** As files of others are: what is changed in the footer is not found out by its checksum. */
    private static byte[] withoutFooterChecksum(byte[] bytes) {
        byte[] unchecked = bytes.clone();
        int footerLength =
                ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bytes.length - 2 * Integer.BYTES);
        unchecked[bytes.length - 2 * Integer.BYTES - footerLength - 1]++; // the end of the check's magic
        return unchecked;
    }

    private static void assertScanned(byte[] bytes, SampleRows sample, Predicate predicate, TimeRange time)
            throws IOException {
        LogBlock block = LogBlockTest.open(bytes);
        assertThat(block.hasIndex()).isFalse();
        assertThat(block.select(time, predicate, ReadOptions.DEFAULTS, new ReadMetrics())
                        .toArray())
                .as("%s in %s", predicate, time)
                .isEqualTo(expected(sample, predicate, time));
    }

    private static byte[] flipped(byte[] bytes, int at, Random random) {
        byte[] damaged = bytes.clone();
        damaged[at] ^= (byte) (1 << random.nextInt(8));
        return damaged;
    }

    private static int[] expected(SampleRows sample, Predicate predicate, TimeRange time) {
        BitSet found = PredicateEvaluator.evaluate(predicate, sample::vector, sample.rows);
        return found.stream()
                .filter(row -> sample.time(row) >= time.fromMicros() && sample.time(row) <= time.toMicros())
                .toArray();
    }

    private static TimeRange timeRange(Random random, SampleRows sample) {
        if (random.nextInt(3) == 0) {
            return TimeRange.ALL;
        }
        long a = sample.time(random.nextInt(sample.rows)) + random.nextInt(3) - 1;
        long b = sample.time(random.nextInt(sample.rows)) + random.nextInt(3) - 1;
        return new TimeRange(Math.min(a, b), random.nextInt(5) == 0 ? Long.MAX_VALUE : Math.max(a, b));
    }

    public static Predicate predicate(Random random, int depth) {
        if (depth == 0 || random.nextInt(3) == 0) {
            return leaf(random);
        }
        return switch (random.nextInt(3)) {
            case 0 -> new Predicate.And(List.of(predicate(random, depth - 1), predicate(random, depth - 1)));
            case 1 -> new Predicate.Or(List.of(predicate(random, depth - 1), predicate(random, depth - 1)));
            default -> new Predicate.Not(predicate(random, depth - 1));
        };
    }

    private static Predicate leaf(Random random) {
        Column text = random.nextBoolean() ? SampleRows.MESSAGE : SampleRows.NOTE;
        Column keyword = List.of(SampleRows.LEVEL, SampleRows.TRACE, Column.keyword("absent", 99))
                .get(random.nextInt(3));
        return switch (random.nextInt(9)) {
            case 0, 1 -> new Predicate.Match(text, MatchQuery.parse(query(random)));
            case 2 ->
                new Predicate.Match(
                        keyword,
                        MatchQuery.parse(List.of("info", "WARN OR error", "t*", "NOT debug", "t1eef")
                                .get(random.nextInt(5))));
            case 3 -> new Predicate.In(keyword, texts(random));
            case 4 -> new Predicate.In(SampleRows.LATENCY, longs(random));
            case 5 -> new Predicate.In(SampleRows.RATIO, doubles(random));
            case 6 -> new Predicate.In(SampleRows.FAIL, List.of(Predicate.ValueRange.equal(random.nextBoolean())));
            case 7 ->
                new Predicate.IsNull(SampleRows.SCHEMA
                        .columns()
                        .get(random.nextInt(SampleRows.SCHEMA.columns().size())));
            default ->
                new Predicate.Like(
                        random.nextBoolean() ? text : keyword,
                        List.of(
                                        "%user%",
                                        "GET%", "%api cart%", "_N%", "%=x=%", "t%e_", "%refused", "% timeout %", "I_FO")
                                .get(random.nextInt(9)),
                        Optional.empty());
        };
    }

    private static String query(Random random) {
        String word = SampleRows.WORDS.get(random.nextInt(SampleRows.WORDS.size()));
        String number = Integer.toString(random.nextInt(100_000));
        return switch (random.nextInt(8)) {
            case 0 -> word;
            case 1 -> number;
            case 2 -> number.substring(0, Math.min(3, number.length())) + "*";
            case 3 -> word.substring(0, 1) + "*";
            case 4 -> "\"" + word + " " + SampleRows.WORDS.get(random.nextInt(SampleRows.WORDS.size())) + "\"";
            case 5 -> word + " OR " + number;
            case 6 -> word + " NOT " + SampleRows.WORDS.get(random.nextInt(SampleRows.WORDS.size()));
            default -> "\"" + word + " 1*\"";
        };
    }

    private static List<Predicate.ValueRange> texts(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> List.of(Predicate.ValueRange.equal("INFO"), Predicate.ValueRange.equal("WARN"));
            case 1 -> List.of(Predicate.ValueRange.equal("t" + Long.toHexString(random.nextInt(3000) * 7919L)));
            case 2 ->
                List.of(new Predicate.ValueRange(Optional.of("I"), false, Optional.of("WARN"), random.nextBoolean()));
            default ->
                List.of(
                        new Predicate.ValueRange(Optional.empty(), false, Optional.of("ERROR"), false),
                        new Predicate.ValueRange(Optional.of("ERROR"), false, Optional.empty(), false));
        };
    }

    private static List<Predicate.ValueRange> longs(Random random) {
        long a = random.nextInt(300);
        return switch (random.nextInt(3)) {
            case 0 -> List.of(Predicate.ValueRange.equal(a), Predicate.ValueRange.equal(a + 2));
            case 1 -> List.of(new Predicate.ValueRange(Optional.of(a), random.nextBoolean(), Optional.empty(), false));
            default ->
                List.of(
                        new Predicate.ValueRange(
                                Optional.of(a), random.nextBoolean(), Optional.of(a + 9), random.nextBoolean()),
                        Predicate.ValueRange.equal(a + 20));
        };
    }

    private static List<Predicate.ValueRange> doubles(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> List.of(Predicate.ValueRange.equal(0.0));
            case 1 ->
                List.of(new Predicate.ValueRange(Optional.of(0.5), random.nextBoolean(), Optional.empty(), false));
            case 2 -> List.of(new Predicate.ValueRange(Optional.empty(), false, Optional.empty(), false));
            default ->
                List.of(new Predicate.ValueRange(
                        Optional.of(-1.0), false, Optional.of(random.nextGaussian() + 1), true));
        };
    }

    /** Where the index lies in a LogBlock's bytes, and where the footer has its version and checksum. */
    private record IndexBytes(
            int coldStart, int coldLength, int hotStart, int hotLength, int checksumAt, int versionAt) {
        static IndexBytes of(byte[] bytes) {
            int middle = bytes.length / 2;
            String footer = new String(bytes, middle, bytes.length - middle, ISO_8859_1);
            Matcher cold = value(footer, "cold", "(\\d+):(\\d+)");
            Matcher hot = value(footer, "hot", "(\\d+):(\\d+):([0-9a-f]{8})");
            Matcher version = value(footer, "version", "(\\d)");
            return new IndexBytes(
                    Integer.parseInt(cold.group(1)),
                    Integer.parseInt(cold.group(2)),
                    Integer.parseInt(hot.group(1)),
                    Integer.parseInt(hot.group(2)),
                    middle + hot.start(3),
                    middle + version.start(1));
        }

        private static Matcher value(String footer, String key, String value) {
            Matcher matcher = Pattern.compile("cordwood\\.index\\." + key + ".{1,4}?" + value, Pattern.DOTALL)
                    .matcher(footer);
            assertThat(matcher.find()).as(key).isTrue();
            return matcher;
        }
    }
}
