package io.cordwood.logblock.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.encoding.StringDictionary;
import io.cordwood.logblock.match.MatchQuery;
import io.cordwood.logblock.match.Tokenizer;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.PredicateEvaluator;
import io.cordwood.logblock.scan.SelectionPropertyTest;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.testing.SampleRows;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.write.LogBlockSummary;
import io.cordwood.logblock.write.LogBlockWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenFilterTest {
    private static final Column TRACE = Column.keyword("trace", 7);
    private static final Column MESSAGE = Column.text("message", 8);
    private static final LogBlockSchema SCHEMA = new LogBlockSchema(List.of(TRACE, MESSAGE));

    /** It never excludes a LogBlock that has a row. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5, 63, 700})
    void admitsWhateverRowsSatisfy(int rows) {
        SampleRows sample = new SampleRows(rows, rows);
        TokenFilter filter = filter(sample).orElseThrow();
        Random random = new Random(rows);
        int excluded = 0;
        for (int i = 0; i < 2000; i++) {
            Predicate predicate = SelectionPropertyTest.predicate(random, 3);
            boolean mayMatch = filter.mayMatch(predicate);
            if (!mayMatch) {
                assertThat(PredicateEvaluator.evaluate(predicate, sample::vector, rows)
                                .isEmpty())
                        .as("%s", predicate)
                        .isTrue();
                excluded++;
            }
        }
        assertThat(excluded).isPositive();
    }

    private static Optional<TokenFilter> filter(SampleRows sample) {
        TokenFilterBuilder builder = new TokenFilterBuilder(SampleRows.SCHEMA);
        for (Column column : SampleRows.SCHEMA.columns()) {
            if (column.index() != IndexKind.NONE) {
                StringVector values = (StringVector) sample.vector(column);
                builder.add(column, values, StringDictionary.build(values), sample.rows);
            }
        }
        return builder.build();
    }

    /** Text that an index has cut into tokens is not cut again. */
    @Test
    void isTheSameWhetherOrNotThereIsAnIndex() throws IOException {
        SampleRows sample = new SampleRows(1, 2000);
        TokenFilter without = written(sample, Integer.MAX_VALUE).orElseThrow();
        TokenFilter with = written(sample, 1).orElseThrow();
        assertThat(with.toBytes()).isEqualTo(without.toBytes());
        assertThat(with.toBytes()).isEqualTo(filter(sample).orElseThrow().toBytes());
    }

    private static Optional<TokenFilter> written(SampleRows sample, int minIndexedRows) throws IOException {
        LogBlockOptions options = new LogBlockOptions(3, 2 << 10, 1 << 10, 64, 700, minIndexedRows);
        try (LogBlockWriter writer = new LogBlockWriter(OutputStream.nullOutputStream(), SampleRows.SCHEMA, options)) {
            writer.append(sample.vectors, sample.rows);
            LogBlockSummary summary = writer.finish();
            assertThat(summary.indexBytes() > 0).isEqualTo(minIndexedRows == 1);
            return summary.tokenFilter();
        }
    }

    @Test
    void findsAllTermsAndHardlyAnyOther() {
        int count = 4000;
        TokenFilter filter = ofTraces(count).orElseThrow();
        assertThat(filter.sizeInBytes()).isLessThan(count * 12 / 8 + 30);
        assertThat(IntStream.range(0, count).filter(i -> filter.mayMatch(trace(i))))
                .hasSize(count);
        assertThat(IntStream.range(count, 101 * count).filter(i -> filter.mayMatch(trace(i))))
                .hasSizeBetween(1, 1000);
    }

    @Test
    void moreTermsAreKeptInAsManyBytesAndTooManyNotAtAll() {
        TokenFilter filter = ofTraces(12_000).orElseThrow();
        assertThat(filter.sizeInBytes()).isLessThan(6200);
        assertThat(IntStream.range(0, 12_000).allMatch(i -> filter.mayMatch(trace(i))))
                .isTrue();
        assertThat(IntStream.range(12_000, 22_000).filter(i -> filter.mayMatch(trace(i))))
                .hasSizeBetween(1000, 3000);
        assertThat(ofTraces(12_500)).isEmpty();
    }

    /** 12,288 are kept, of keywords and of text together. */
    @ParameterizedTest
    @CsvSource({"12287, true", "12288, false"})
    void tooManyTermsOfKeywordsAndTextAreNotKept(int tokens, boolean kept) throws IOException {
        String[] words = IntStream.range(0, tokens).mapToObj(i -> "w" + i).toArray(String[]::new);
        LogBlockSchema schema = new LogBlockSchema(List.of(SampleRows.TS, TRACE, MESSAGE));
        for (int minIndexedRows : new int[] {1, Integer.MAX_VALUE}) {
            LogBlockOptions options = new LogBlockOptions(3, 2 << 10, 1 << 10, 64, 1 << 20, minIndexedRows);
            try (LogBlockWriter writer = new LogBlockWriter(OutputStream.nullOutputStream(), schema, options)) {
                String[] traces = new String[tokens];
                Arrays.fill(traces, "trace");
                writer.append(
                        List.of(new LongVector(new long[tokens]), StringVector.of(traces), StringVector.of(words)),
                        tokens);
                assertThat(writer.finish().tokenFilter().isPresent()).isEqualTo(kept);
            }
        }
    }

    @Test
    void withoutValuesNothingMatches() {
        TokenFilter filter =
                of(StringVector.of(null, null), StringVector.of("", "-")).orElseThrow();
        assertThat(filter.mayMatch(match(MESSAGE, "disk"))).isFalse();
        assertThat(filter.mayMatch(equal(TRACE, "t1"))).isFalse();
        assertThat(filter.mayMatch(match(MESSAGE, "NOT disk"))).isTrue();
        assertThat(filter.mayMatch(new Predicate.IsNull(TRACE))).isTrue();
        assertThat(filter.mayMatch(Predicate.TRUE)).isTrue();
    }

    @Test
    void knowsTokensOfTextAndWholeValuesOfKeywords() {
        TokenFilter filter = of(StringVector.of("Order-17"), StringVector.of("GET /api user_id=9"))
                .orElseThrow();
        for (String query :
                List.of("api", "\"get api\"", "api user*", "nothing OR user_id", "ap*", "\"api nothing*\"")) {
            assertThat(filter.mayMatch(match(MESSAGE, query))).as(query).isTrue();
        }
        for (String query : List.of("nothing", "api nothing", "\"nothing a*\"")) {
            assertThat(filter.mayMatch(match(MESSAGE, query))).as(query).isFalse();
        }
        assertThat(filter.mayMatch(match(TRACE, "order-17"))).isTrue();
        assertThat(filter.mayMatch(match(TRACE, "ord*"))).isTrue();
        assertThat(filter.mayMatch(match(TRACE, "17"))).isFalse();
        assertThat(filter.mayMatch(equal(TRACE, "Order-17"))).isTrue();
        assertThat(filter.mayMatch(equal(TRACE, "order-18"))).isFalse();
        assertThat(filter.mayMatch(equal(MESSAGE, "user api"))).isTrue();
        assertThat(filter.mayMatch(equal(MESSAGE, "user 10"))).isFalse();
        assertThat(filter.mayMatch(new Predicate.Like(MESSAGE, "%/nothing %", Optional.empty())))
                .isFalse();
    }

    /** What it does not know, or knows as another kind of column, it does not judge. */
    @Test
    void admitsOtherColumns() {
        TokenFilter filter = of(StringVector.of("a"), StringVector.of("a")).orElseThrow();
        assertThat(filter.mayMatch(equal(Column.keyword("later", 99), "b"))).isTrue();
        assertThat(filter.mayMatch(match(Column.text("trace", 7), "b"))).isTrue();
        assertThat(filter.mayMatch(match(Column.keyword("message", 8), "b"))).isTrue();
        assertThat(filter.mayMatch(equal(Column.keyword("trace", 7), "b"))).isFalse();
    }

    @Test
    void damagedOrOfAnotherVersionItIsNotUsed() {
        byte[] bytes = ofTraces(50).orElseThrow().toBytes();
        assertThat(TokenFilter.parse(ByteBuffer.wrap(bytes))).isPresent();
        for (int bit = 0; bit < 8 * bytes.length; bit++) {
            byte[] damaged = bytes.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(TokenFilter.parse(ByteBuffer.wrap(damaged)))
                    .as("bit %d", bit)
                    .isEmpty();
        }
        for (int length = 0; length < bytes.length; length++) {
            assertThat(TokenFilter.parse(ByteBuffer.wrap(bytes, 0, length)))
                    .as("length %d", length)
                    .isEmpty();
        }
        byte[] ofAnotherAnalyzer = bytes.clone();
        ofAnotherAnalyzer[1] = (byte) (Tokenizer.VERSION + 1);
        assertThat(TokenFilter.parse(ByteBuffer.wrap(withChecksum(ofAnotherAnalyzer))))
                .isEmpty();
        byte[] ofOtherSizes = bytes.clone();
        ofOtherSizes[7]++; // the number of terms
        assertThat(TokenFilter.parse(ByteBuffer.wrap(withChecksum(ofOtherSizes))))
                .isEmpty();
    }

    private static byte[] withChecksum(byte[] bytes) {
        int end = bytes.length - TokenFilter.CRC_BYTES;
        ByteBuffer.wrap(bytes).putInt(end, Integer.reverseBytes(TokenFilter.crc(bytes, end)));
        return bytes;
    }

    private static Optional<TokenFilter> ofTraces(int count) {
        return of(
                StringVector.of(
                        IntStream.range(0, count).mapToObj(i -> "trace-" + i).toArray(String[]::new)),
                StringVector.of(new String[count]));
    }

    private static Optional<TokenFilter> of(StringVector traces, StringVector messages) {
        TokenFilterBuilder builder = new TokenFilterBuilder(SCHEMA);
        builder.add(TRACE, traces, Optional.empty(), traces.length());
        builder.add(MESSAGE, messages, Optional.empty(), messages.length());
        return builder.build();
    }

    private static Predicate trace(int i) {
        return equal(TRACE, "trace-" + i);
    }

    private static Predicate equal(Column column, String value) {
        return new Predicate.In(column, List.of(Predicate.ValueRange.equal(value)));
    }

    private static Predicate match(Column column, String query) {
        return new Predicate.Match(column, MatchQuery.parse(query));
    }
}
