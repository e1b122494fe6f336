package io.cordwood.logblock.parquet;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.encoding.ByteSource;
import io.cordwood.logblock.encoding.DeltaEncoding;
import io.cordwood.logblock.encoding.MalformedPageException;
import io.cordwood.logblock.encoding.RleEncoding;
import io.cordwood.logblock.encoding.XxHash64;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesReader;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriterForLong;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridDecoder;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;
import org.junit.jupiter.api.Test;

class EncodingsTest {
    @Property(tries = 500)
    void runLengthsComeBack(
            @ForAll @Size(max = 600) int[] raw, @ForAll @IntRange(min = 1, max = 31) int width, @ForAll boolean runs) {
        int[] values = Arrays.stream(raw).map(v -> v & (1 << width) - 1).toArray();
        for (int i = 1; i < values.length && runs; i++) {
            values[i] = i % 20 < 13 ? values[i - 1] : values[i];
        }
        ByteSink out = new ByteSink(16);
        RleEncoding.encode(values, 0, values.length, width, out);
        int[] back = new int[values.length];
        RleEncoding.decode(new ByteSource(out.bytes(), 0, out.size()), width, back, back.length);
        assertThat(back).isEqualTo(values);
    }

    @Property(tries = 500)
    void deltasComeBack(@ForAll @Size(max = 400) long[] values) {
        ByteSink out = new ByteSink(16);
        DeltaEncoding.encode(values, 0, values.length, out);
        long[] back = new long[values.length];
        DeltaEncoding.decode(new ByteSource(out.bytes(), 0, out.size()), back, back.length);
        assertThat(back).isEqualTo(values);
    }

    /** Both ways: each reads what the other wrote. */
    @Property
    void runLengthsAreThoseOfParquetJava(
            @ForAll @Size(max = 200) int[] raw, @ForAll @IntRange(min = 1, max = 31) int width, @ForAll boolean runs)
            throws IOException {
        int[] values = Arrays.stream(raw).map(v -> v & (1 << width) - 1).toArray();
        for (int i = 1; i < values.length && runs; i++) {
            values[i] = i % 20 < 13 ? values[i - 1] : values[i];
        }
        try (RunLengthBitPackingHybridEncoder encoder =
                new RunLengthBitPackingHybridEncoder(width, 64, 1 << 20, HeapByteBufferAllocator.getInstance())) {
            for (int value : values) {
                encoder.writeInt(value);
            }
            byte[] theirs = bytes(encoder.toBytes());
            int[] back = new int[values.length];
            RleEncoding.decode(new ByteSource(theirs, 0, theirs.length), width, back, back.length);
            assertThat(back).isEqualTo(values);
        }
        ByteSink out = new ByteSink(16);
        RleEncoding.encode(values, 0, values.length, width, out);
        RunLengthBitPackingHybridDecoder decoder =
                new RunLengthBitPackingHybridDecoder(width, new ByteArrayInputStream(out.toByteArray()));
        for (int value : values) {
            assertThat(decoder.readInt()).isEqualTo(value);
        }
    }

    private static byte[] bytes(BytesInput input) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        input.writeAllTo(out);
        return out.toByteArray();
    }

    @Property
    void deltasAreThoseOfParquetJava(@ForAll @Size(max = 200) long[] values) throws IOException {
        try (DeltaBinaryPackingValuesWriterForLong writer =
                new DeltaBinaryPackingValuesWriterForLong(64, 1 << 20, HeapByteBufferAllocator.getInstance())) {
            for (long value : values) {
                writer.writeLong(value);
            }
            byte[] theirs = bytes(writer.getBytes());
            long[] back = new long[values.length];
            DeltaEncoding.decode(new ByteSource(theirs, 0, theirs.length), back, back.length);
            assertThat(back).isEqualTo(values);
        }
        ByteSink out = new ByteSink(16);
        DeltaEncoding.encode(values, 0, values.length, out);
        DeltaBinaryPackingValuesReader reader = new DeltaBinaryPackingValuesReader();
        reader.initFromPage(values.length, ByteBufferInputStream.wrap(ByteBuffer.wrap(out.toByteArray())));
        for (long value : values) {
            assertThat(reader.readLong()).isEqualTo(value);
        }
    }

    @Property(tries = 300)
    void garbageIsMalformedAndNothingElse(@ForAll @Size(max = 200) byte[] bytes) {
        for (Runnable decode : new Runnable[] {
            () -> DeltaEncoding.decode(new ByteSource(bytes, 0, bytes.length), new long[500], 500),
            () -> RleEncoding.decode(new ByteSource(bytes, 0, bytes.length), 7, new int[500], 500),
            () -> Zstd.decompress(bytes, 0, bytes.length, 100, new PageBuffers())
        }) {
            try {
                decode.run();
            } catch (MalformedPageException expected) {
                assertThat(expected).hasMessageMatching("(?s).+");
            }
        }
    }

    @Test
    void truncatedDeltasAreRefused() {
        ByteSink out = new ByteSink(16);
        DeltaEncoding.encode(new long[] {1, 5, 100, 7}, 0, 4, out);
        assertThatThrownBy(() -> DeltaEncoding.decode(new ByteSource(out.bytes(), 0, out.size() - 1), new long[4], 4))
                .isInstanceOf(MalformedPageException.class);
    }

    @Test
    void xxHash64HasItsPublishedValues() {
        assertThat(hash("")).isEqualTo(0xEF46DB3751D8E999L);
        assertThat(hash("a")).isEqualTo(0xD24EC4F1A98C6E5BL);
        assertThat(hash("abc")).isEqualTo(0x44BC2CF5AD770999L);
        assertThat(hash("Call me Ishmael. Some years ago--never mind how long precisely-"))
                .isEqualTo(0x02A2E85470D6FD96L);
    }

    private static long hash(String text) {
        byte[] bytes = ("##" + text).getBytes(US_ASCII);
        return XxHash64.hash(bytes, 2, bytes.length - 2);
    }
}
