package io.cordwood.gateway.door;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.github.luben.zstd.Zstd;
import io.cordwood.gateway.ShippedRows;
import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever comes as a packed body: it is unpacked as it was packed, or refused, and the bounds hear of every byte. */
class BodiesFuzzTest {
    private static final int MAX_BYTES = 1 << 20;
    private static final int CHUNK_BYTES = 16 << 10;
    private static final byte[] TEXT = "hello, hello, hello, hello, hello".getBytes(UTF_8);

    /** The body; empty if it is refused. */
    private static byte[] read(byte[] packed, String encoding) throws IOException {
        AtomicLong counted = new AtomicLong();
        AtomicLong held = new AtomicLong();
        byte[] body;
        try {
            body = Bodies.read(
                    new ByteArrayInputStream(packed),
                    encoding,
                    CHUNK_BYTES,
                    new Bodies.Bounds(
                            more -> {
                                if (counted.addAndGet(more) > MAX_BYTES) {
                                    throw new RefusedException(Reason.TOO_LARGE, "It is too large");
                                }
                            },
                            held::addAndGet));
        } catch (RefusedException e) {
            assertThat(e.reason()).isIn(Reason.MALFORMED, Reason.TOO_LARGE);
            return new byte[0];
        }
        assertThat(counted.get()).isEqualTo(body.length);
        assertThat(held.get()).isBetween((long) body.length / 2, 2L * body.length + CHUNK_BYTES);
        return body;
    }

    static Stream<byte[]> gzip() throws IOException {
        byte[] one = Packed.gzip(TEXT);
        return Stream.of(
                one,
                ShippedRows.join(one, one),
                ShippedRows.join(one, "garbage".getBytes(UTF_8)),
                Packed.gzip(new byte[100_000]),
                // Every optional part of a header
                new byte[] {31, -117, 8, 31, 0, 0, 0, 0, 0, 0, 1, 0, 7, 'n', 0, 'c', 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0
                });
    }

    @MethodSource("gzip")
    @FuzzTest
    void gzip(byte[] packed) throws Exception {
        read(packed, "gzip");
        byte[] behind = read(ShippedRows.join(Packed.gzip(TEXT), packed), "gzip");
        assertThat(behind.length == 0 || behind.length >= TEXT.length).isTrue();
    }

    static Stream<byte[]> zstd() {
        return Stream.of(Zstd.compress(TEXT), Zstd.compress(new byte[100_000]));
    }

    @MethodSource("zstd")
    @FuzzTest
    void zstd(byte[] packed) throws Exception {
        read(packed, "zstd");
    }

    static Stream<byte[]> deflate() throws IOException {
        return Stream.of(Packed.deflate(TEXT), Packed.deflate(new byte[100_000]));
    }

    @MethodSource("deflate")
    @FuzzTest
    void deflate(byte[] packed) throws Exception {
        read(packed, "deflate");
    }

    static Stream<byte[]> texts() {
        return Stream.of(TEXT, new byte[0], new byte[40_000]);
    }

    @MethodSource("texts")
    @FuzzTest
    void whatWasPackedComesOut(byte[] text) throws Exception {
        assertThat(read(text, "")).isEqualTo(text);
        assertThat(read(Packed.gzip(text), "gzip")).isEqualTo(text);
        assertThat(read(ShippedRows.join(Packed.gzip(text), Packed.gzip(text)), "x-gzip"))
                .isEqualTo(ShippedRows.join(text, text));
        assertThat(read(Packed.deflate(text), "deflate")).isEqualTo(text);
        assertThat(read(Zstd.compress(text), "zstd")).isEqualTo(text);
    }
}
