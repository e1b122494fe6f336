package io.cordwood.logblock;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.encoding.StringDictionary;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.match.MatchQuery;
import io.cordwood.logblock.match.MatchSyntaxException;
import io.cordwood.logblock.predicate.LikePattern;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.scan.ReadOptions;
import io.cordwood.logblock.scan.ScanDirection;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.sketch.TokenFilter;
import io.cordwood.logblock.sketch.TokenFilterBuilder;
import io.cordwood.logblock.testing.BytesReader;
import io.cordwood.logblock.testing.OneColumnFile;
import io.cordwood.logblock.testing.SampleRows;
import io.cordwood.logblock.vector.StringVector;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.Encoding;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever bytes an object, a token filter or a query has: an answer, or an error that says what is wrong. {@code
 * bin/test --fuzz} looks for others.
 */
class LogBlockFuzzTest {
    private static final int ROWS = 1000;
    private static final int MAX_ROWS = 1 << 16;
    private static final Predicate PREDICATE = new Predicate.Or(List.of(
            new Predicate.Match(SampleRows.MESSAGE, MatchQuery.parse("user OR 1*")),
            new Predicate.In(SampleRows.LEVEL, List.of(Predicate.ValueRange.equal("INFO"))),
            new Predicate.In(
                    SampleRows.LATENCY,
                    List.of(new Predicate.ValueRange(Optional.of(100L), true, Optional.empty(), false)))));

    static Stream<byte[]> files() throws IOException {
        byte[] block = new SampleRows(3, 20).write(SampleRows.SMALL_BLOCKS);
        byte[] unchecked = block.clone();
        int footer = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN).getInt(block.length - 2 * Integer.BYTES);
        unchecked[block.length - 2 * Integer.BYTES - footer - 1]++;
        ByteSink texts = new ByteSink(16);
        OneColumnFile.writeLevels(1, 2, texts);
        OneColumnFile.writeText("user 1".getBytes(UTF_8), texts);
        OneColumnFile.writeText("x".getBytes(UTF_8), texts);
        byte[] foreign = new OneColumnFile(SampleRows.MESSAGE, CompressionCodec.UNCOMPRESSED)
                .page(2, Encoding.PLAIN, texts.toByteArray(), texts.size())
                .toByteArray();
        return Stream.of(block, unchecked, foreign);
    }

    @MethodSource("files")
    @FuzzTest
    void file(byte[] bytes) throws IOException {
        try (LogBlock block = LogBlock.open(new BytesReader(bytes), new ReadMetrics())) {
            int[] rows = new int[Math.min(block.rowCount(), ROWS)];
            Arrays.setAll(rows, i -> i);
            for (Column column : SampleRows.SCHEMA.columns()) {
                block.cursor(column, new ReadMetrics()).read(rows, 0, rows.length);
            }
            // A footer may say that there are billions
            if (block.rowCount() <= MAX_ROWS) {
                block.scan(block.rows(), PREDICATE, ScanDirection.ALL, ReadOptions.DEFAULTS, new ReadMetrics())
                        .all();
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("memory");
        }
    }

    static Stream<byte[]> tokenFilters() {
        TokenFilterBuilder builder = new TokenFilterBuilder(SampleRows.SCHEMA);
        StringVector values = StringVector.of("user 1", "GET", "10.0.0.1");
        builder.add(SampleRows.MESSAGE, values, StringDictionary.build(values), 3);
        return builder.build().map(TokenFilter::toBytes).stream();
    }

    /** Filters of others with the right checksum: damage is noticed before. */
    @MethodSource("tokenFilters")
    @FuzzTest
    void tokenFilter(byte[] bytes) {
        if (bytes.length < Integer.BYTES) {
            return;
        }
        byte[] filter = bytes.clone();
        int end = filter.length - Integer.BYTES;
        ByteBuffer.wrap(filter).order(ByteOrder.LITTLE_ENDIAN).putInt(end, TokenFilter.crc(filter, end));
        TokenFilter.parse(ByteBuffer.wrap(filter))
                .ifPresent(parsed -> assertThat(parsed.toBytes()).isEqualTo(filter));
    }

    static Stream<byte[]> queries() {
        return utf8("get (a OR \"b c*\") NOT d*", "10.0.0.1 AND user_id", "北京 \"İ\" OR", "((a) b");
    }

    private static Stream<byte[]> utf8(String... texts) {
        return Arrays.stream(texts).map(text -> text.getBytes(UTF_8));
    }

    @MethodSource("queries")
    @FuzzTest
    void query(byte[] utf8) {
        String text = new String(utf8, UTF_8);
        try {
            MatchQuery query = MatchQuery.parse(text);
            query.matchesText(text);
            query.matchesKeyword(text);
        } catch (MatchSyntaxException e) {
            assertThat(e).hasMessageContaining("at position");
        }
    }

    static Stream<byte[]> patterns() {
        return utf8("%a_b%", "100!%", "_%_😀", "");
    }

    @MethodSource("patterns")
    @FuzzTest
    void likePattern(byte[] utf8) {
        try {
            LikePattern pattern = LikePattern.parse(new String(utf8, UTF_8), Optional.of('!'));
            pattern.matches(utf8, 0, utf8.length);
            pattern.wholeTokens();
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("the escape character");
        }
    }
}
