package io.cordwood.gateway.loki;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import io.cordwood.gateway.ShippedRows;
import io.cordwood.gateway.loki.PushRequest.Entry;
import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.gateway.send.Memory;
import io.cordwood.gateway.send.Payload;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;
import org.xerial.snappy.Snappy;

/** Whatever is pushed: each entry is a row that can be read or is counted as rejected, and good ones stay. */
class PushFuzzTest {
    private static final int MAX_BYTES = 1 << 20;
    private static final long SECONDS = 1_795_168_800;
    private static final String GOOD_ROW = "{\"ts\":1795168800000000000,\"message\":\"good\",\"app\":\"web\"}";

    private static byte[] good() {
        return new PushRequest()
                .stream("{app=\"web\"}", new Entry(SECONDS, 0, "good", Map.of()))
                        .toByteArray();
    }

    static Stream<byte[]> protobuf() {
        return Stream.of(
                new PushRequest()
                        .stream(
                                        "{app=\"web\", host='a'}",
                                        new Entry(
                                                SECONDS, 123_456_789, "one \"line\"\n\ttwo é", Map.of("trace_id", "7")),
                                        new Entry(-5, 1_000, "", Map.of("App", "x", "ts", "1")))
                                .stream("{a=}", new Entry(Long.MAX_VALUE, 0, "bad", Map.of()))
                                .toByteArray(),
                good());
    }

    static Stream<byte[]> json() {
        return Stream.of(
                        "{\"streams\": [{\"values\": [[\"1795168800123456789\", \"one \\\"line\\\"\\n\\u00e9\", {\"trace\\u005fid\": \"7\"}],"
                                + " [1795168800123456000, \"raw\ttab\"]], \"stream\": {\"app\": \"we\\\"b\", \"host\": \"a\"}}]}",
                        "{\"streams\":[{\"labels\":\"{app=\\\"web\\\"}\",\"entries\":[{\"ts\":\"2026-11-20T12:00:00.000000007+02:00\",\"line\":\"x\"}]}]}",
                        "{\"streams\":[{\"stream\":{\"a\":7},\"values\":[[\"1\",\"x\"]]}]}")
                .map(text -> text.getBytes(UTF_8));
    }

    private static void readOrRefuse(byte[] body, boolean isJson) throws Exception {
        PushedRows rows = new PushedRows(2L * MAX_BYTES, Memory.countedElsewhere());
        try {
            if (isJson) {
                new JsonPush(body, rows).read();
            } else {
                new ProtobufPush(body, rows).read();
            }
        } catch (RefusedException e) {
            assertThat(e.reason()).isIn(Reason.MALFORMED, Reason.TOO_LARGE);
            return;
        }
        List<Payload> payloads = rows.finish();
        long taken = ShippedRows.requireReadable(payloads);
        assertThat(taken + rows.rejected().count()).isLessThanOrEqualTo(body.length);
        assertThat(ShippedRows.bytes(payloads)).isLessThanOrEqualTo(2L * MAX_BYTES + taken);
    }

    @MethodSource("protobuf")
    @FuzzTest
    void protobuf(byte[] body) throws Exception {
        readOrRefuse(body, false);
    }

    @MethodSource("json")
    @FuzzTest
    void json(byte[] body) throws Exception {
        readOrRefuse(body, true);
    }

    static Stream<byte[]> streams() {
        return Stream.of("\n\u0009{a=\"b\"}\u0012\u0005\u0012\u0003abc", "\n\u0003{a}\u0012\u0003\u0012\u0001x")
                .map(text -> text.getBytes(UTF_8));
    }

    /** A stream of any bytes before a good one: both are read, or the request is no protobuf and refused. */
    @MethodSource("streams")
    @FuzzTest
    void aStreamBeforeAGoodOne(byte[] stream) throws Exception {
        byte[] first = UnknownFieldSet.newBuilder()
                .addField(
                        1,
                        Field.newBuilder()
                                .addLengthDelimited(ByteString.copyFrom(stream))
                                .build())
                .build()
                .toByteArray();
        PushedRows rows = new PushedRows(MAX_BYTES, Memory.countedElsewhere());
        try {
            new ProtobufPush(ShippedRows.join(first, good()), rows).read();
        } catch (RefusedException e) {
            assertThat(e.reason()).isIn(Reason.MALFORMED, Reason.TOO_LARGE);
            return;
        }
        List<Payload> payloads = rows.finish();
        ShippedRows.requireReadable(payloads);
        assertThat(ShippedRows.lines(payloads)).endsWith(GOOD_ROW);
    }

    static Stream<byte[]> labels() {
        return Stream.of(
                        "{ a=\"q\\\"\\\\\\n\\t\\x41\\u00e9\\U0001F600\\101,}\" ,b='it\\'s \"\"', c=`raw\\n`, \"d.e\"=\"=\", }",
                        "{app=\"web\"}",
                        "{}",
                        "{a!=\"b\"}")
                .map(text -> text.getBytes(UTF_8));
    }

    /** Labels of any bytes are columns of their entry, or reject it with the reason. */
    @MethodSource("labels")
    @FuzzTest
    void labels(byte[] labels) throws Exception {
        Labels target = new Labels(Memory.countedElsewhere());
        boolean areLabels = true;
        try {
            new LabelText().read(labels, 0, labels.length, target);
        } catch (RefusedException e) {
            assertThat(e).hasMessageMatching("(?s)expected .+ in the labels after '.*'|The stream has more than .*");
            areLabels = false;
        }
        byte[] entry = {0x12, 4, 0x12, 2, 'h', 'i'};
        Field.Builder label = Field.newBuilder().addLengthDelimited(ByteString.copyFrom(labels));
        byte[] stream = ShippedRows.join(
                UnknownFieldSet.newBuilder().addField(1, label.build()).build().toByteArray(), entry);
        Field.Builder streams = Field.newBuilder().addLengthDelimited(ByteString.copyFrom(stream));
        PushedRows rows = new PushedRows(MAX_BYTES, Memory.countedElsewhere());
        new ProtobufPush(
                        UnknownFieldSet.newBuilder()
                                .addField(1, streams.build())
                                .build()
                                .toByteArray(),
                        rows)
                .read();
        assertThat(rows.rejected().count()).isEqualTo(areLabels ? 0 : 1);
        assertThat(ShippedRows.requireReadable(rows.finish())).isEqualTo(areLabels ? 1 : 0);
    }

    static Stream<byte[]> blocks() throws IOException {
        return Stream.of(
                Snappy.compress("hello, hello, hello, hello, hello, hello"),
                Snappy.compress(new byte[1000]),
                new byte[] {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 7, 0, 0});
    }

    /** Memory is asked for before it is taken; what is a block to Snappy itself is one here. */
    @MethodSource("blocks")
    @FuzzTest
    void snappy(byte[] packed) throws Exception {
        AtomicLong asked = new AtomicLong(packed.length);
        byte[] body;
        try {
            body = SnappyBlock.unpack(packed, MAX_BYTES, more -> {
                if (asked.addAndGet(more) > MAX_BYTES) {
                    throw new RefusedException(Reason.TOO_LARGE, "It is too large");
                }
            });
        } catch (RefusedException e) {
            assertThat(e.reason()).isIn(Reason.MALFORMED, Reason.TOO_LARGE);
            assertThat(e.reason() == Reason.MALFORMED && Snappy.isValidCompressedBuffer(packed))
                    .isFalse();
            return;
        }
        assertThat((long) body.length).isLessThanOrEqualTo(asked.get());
        if (packed.length > 0) {
            assertThat(Snappy.uncompress(packed)).isEqualTo(body);
        }
    }
}
