package io.cordwood.record.buffer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.assemble.AssembledRows;
import io.cordwood.record.assemble.DayRows;
import io.cordwood.record.assemble.RowAssembler;
import io.cordwood.record.decode.Decoding;
import io.cordwood.record.decode.Tables;
import io.cordwood.record.policy.DecodingPolicy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RowBufferTest {
    private static final long DAY = 86_400_000_000L;

    /** A keyword that repeats, one that never does, and a text. */
    private static String row(int i) {
        return "{\"ts\":%d,\"level\":\"l%d\",\"id\":\"id-%d\",\"message\":\"m %d\",\"n\":%d}"
                .formatted(Decoding.APPENDED - i % 7, i % 5, i, i, i);
    }

    private static Map<String, Object> members(int i) {
        return Map.of("level", "l" + i % 5, "id", "id-" + i, "message", "m " + i, "n", (long) i);
    }

    private static StringVector vector(Decoding decoding, AssembledRows assembled, String column) {
        return (StringVector) assembled.days().getFirst().columns().get(decoding.table.indexOf(column));
    }

    @Test
    void cutsBetweenRecordsWhereThereAreTooManyDays() throws Exception {
        RowBuffer first = rowsOn(10, 0, 0, 1, 1);
        RowBuffer second = rowsOn(20, 2, 0, 3);
        List<RowBuffer> buffers = List.of(first, second);
        assertThat(RowAssembler.cut(buffers, 0, 4)).isEqualTo(Long.MAX_VALUE);
        assertThat(RowAssembler.cut(buffers, 0, 3)).isEqualTo(22);
        assertThat(RowAssembler.cut(buffers, 0, 2)).isEqualTo(20);
        assertThat(RowAssembler.cut(buffers, 12, 2)).isEqualTo(21);
        assertThat(RowAssembler.cut(buffers, 22, 2)).isEqualTo(Long.MAX_VALUE);

        // One record is never cut.
        RowBuffer wide = new RowBuffer();
        for (int day = 0; day < 5; day++) {
            wide.endRow(day * 86_400_000_000L, 7, day);
        }
        wide.endRow(0, 8, 0);
        assertThat(RowAssembler.cut(List.of(wide), 0, 3)).isEqualTo(8);

        AssembledRows assembled = new RowAssembler(DecodingPolicy.DEFAULT, "logs")
                .assemble(Tables.BASE, "acme", "topic-id", 3, buffers, 11, 21);
        assertThat(assembled.days()).extracting(DayRows::epochDay).containsExactly(0, 1, 2);
        assertThat(assembled.days()).extracting(DayRows::rows).containsExactly(1, 2, 1);
    }

    /** A record of one row for each day. */
    private static RowBuffer rowsOn(long firstOffset, int... days) {
        RowBuffer buffer = new RowBuffer();
        for (int i = 0; i < days.length; i++) {
            buffer.endRow(days[i] * 86_400_000_000L, firstOffset + i, 0);
        }
        return buffer;
    }

    @Test
    void valuesThatRepeatBecomeADictionary() throws Exception {
        Decoding decoding = new Decoding();
        for (int i = 0; i < 10_000; i++) {
            decoding.add(row(i));
            if (i % 3_000 == 2_999) {
                decoding.nextBuffer();
            }
        }
        AssembledRows assembled = decoding.assembled();
        StringVector level = vector(decoding, assembled, "level");
        assertThat(level.isDictionary()).isTrue();
        assertThat(level.offsets()).hasSize(6);
        assertThat(vector(decoding, assembled, "id").isDictionary()).isFalse();
        assertThat(vector(decoding, assembled, "message").isDictionary()).isFalse();
        assertThat(decoding.rows()).hasSize(10_000).allSatisfy(row -> {
            int i = (int) ((long) row.get("_kafka_offset") - 100);
            assertThat(row).containsAllEntriesOf(members(i)).containsEntry("ts", Decoding.APPENDED - i % 7);
        });
    }

    @Test
    void requestOfManyRowsIsUndoneWhole() throws Exception {
        Decoding decoding = new Decoding();
        for (int i = 0; i < 500; i++) {
            decoding.add(row(i));
        }
        List<Map<String, Object>> rows = decoding.rows();
        String good = IntStream.range(0, 2_000)
                .mapToObj(i -> "{\"body\":{\"stringValue\":\"otlp %d\"},\"severityText\":\"X%d\"}".formatted(i, i))
                .collect(Collectors.joining(","));
        String request = "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[%s]}]}]}";
        String bad = good + ",{\"timeUnixNano\":\"never\"}";
        assertThatThrownBy(() -> decoding.add(request.formatted(bad))).isInstanceOf(UndecodableRecordException.class);
        assertThat(decoding.buffers.getFirst().rowCount()).isEqualTo(500);
        assertThat(decoding.rows()).isEqualTo(rows);
        decoding.add(request.formatted(good)).add(row(500));
        assertThat(decoding.rows()).hasSize(2_501);
        assertThat(decoding.rows().getLast())
                .containsEntry("message", "otlp 1999")
                .containsEntry("level", "X1999");
    }

    @Test
    void rowsAreCutIntoDays() throws Exception {
        long midnight = Math.floorDiv(Decoding.APPENDED, DAY) * DAY;
        Decoding decoding = new Decoding()
                .add("{\"ts\":%d,\"k\":\"c\",\"_x\":1,\"b\":true}".formatted(midnight))
                .add("{\"ts\":%d,\"k\":\"a\",\"message\":\"old\"}".formatted(midnight - 1 - DAY))
                .add("{\"ts\":%d,\"k\":\"b\",\"d\":1.5,\"_x\":2}".formatted(midnight - 1))
                .add("{\"ts\":%d,\"k\":\"c\",\"message\":\"new\",\"_y\":3}".formatted(midnight + 1));
        AssembledRows assembled = decoding.assembled();
        int today = (int) (midnight / DAY);
        assertThat(assembled.days()).extracting(DayRows::epochDay).containsExactly(today - 2, today - 1, today);
        assertThat(assembled.days()).extracting(DayRows::rows).containsExactly(1, 1, 2);
        assertThat(decoding.allMembers())
                .containsExactly(
                        Map.of("k", "a", "message", "old"),
                        Map.of("k", "b", "d", 1.5, "attributes", Map.of("_x", "2")),
                        Map.of("k", "c", "b", true, "attributes", Map.of("_x", "1")),
                        Map.of("k", "c", "message", "new", "attributes", Map.of("_y", "3")));
        assertThat(assembled.degraded()).isEqualTo(Map.of("_x", 2L, "_y", 1L));
        // Each day has a dictionary of its own values only.
        assertThat(vector(decoding, assembled, "k").offsets()).containsExactly(0, 1);
    }

    @Test
    void rowsBelowAnOffsetAreLeftOut() throws Exception {
        Decoding decoding = new Decoding();
        for (int i = 0; i < 100; i++) {
            decoding.add(row(i));
            if (i % 30 == 29) {
                decoding.nextBuffer();
            }
        }
        decoding.assembled();
        RowAssembler assembler = new RowAssembler(DecodingPolicy.DEFAULT, "logs");
        for (long from : List.of(0L, 100L, 101L, 145L, 199L, 200L)) {
            AssembledRows assembled =
                    assembler.assemble(decoding.table, "acme", "topic-id", 3, decoding.buffers, from, Long.MAX_VALUE);
            List<Map<String, Object>> expected = decoding.rows().stream()
                    .filter(row -> (long) row.get("_kafka_offset") >= from)
                    .toList();
            assertThat(assembled.days().stream()
                            .flatMap(day -> Decoding.rows(day, decoding.table).stream())
                            .toList())
                    .isEqualTo(expected);
        }
    }

    @Test
    void buffersMustAscend() throws Exception {
        Decoding decoding = new Decoding().add("{}").nextBuffer().add("{}");
        List<RowBuffer> reversed = decoding.buffers.reversed();
        RowAssembler assembler = new RowAssembler(DecodingPolicy.DEFAULT, "logs");
        assertThatThrownBy(() -> assembler.assemble(Tables.BASE, "acme", "topic-id", 3, reversed))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Buffers must ascend by offset, but one that begins at 100 follows one that ends at 101");
    }

    @Test
    void sizeFollowsTheRows() throws Exception {
        Decoding decoding = new Decoding();
        RowBuffer buffer = decoding.buffers.getFirst();
        assertThat(buffer.sizeInBytes()).isBetween(1L, 2_000L);
        String message = "x".repeat(1_000);
        for (int i = 0; i < 10_000; i++) {
            decoding.add("{\"message\":\"" + message + "\"}");
        }
        assertThat(buffer.sizeInBytes()).isBetween(10_000_000L, 20_000_000L);
        assertThat(RowBuffer.fromChunk(buffer.toChunk()).sizeInBytes()).isBetween(10_000_000L, 11_000_000L);
        buffer.clear();
        assertThat(buffer.isEmpty()).isTrue();
        assertThat(buffer.oldestAppendMicros()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void emptyBuffersHaveNoOffsets() {
        RowBuffer buffer = new RowBuffer();
        assertThatThrownBy(buffer::firstOffset).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(buffer::lastOffset).isInstanceOf(IllegalStateException.class);
        assertThat(RowBuffer.fromChunk(buffer.toChunk()).isEmpty()).isTrue();
        assertThat(new Decoding().assembled().days()).isEmpty();
    }

    @Test
    void tellsHowEachRowCameIn() throws Exception {
        Decoding decoding = new Decoding().add("{\"n\":1}");
        String two = "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[{},{}]}]}]}";
        assertThatThrownBy(() -> decoding.add("no JSON")).isInstanceOf(UndecodableRecordException.class);
        decoding.add(two).add("{\"ts\":0}");
        RowBuffer buffer = decoding.buffers.getFirst();
        long hour = Decoding.APPENDED / 3_600_000_000L;
        List<String> expected = List.of(
                "100 %d %d 7".formatted(Decoding.APPENDED, hour),
                "102 %d %d %d".formatted(Decoding.APPENDED, hour, two.length()),
                "102 %d %d 0".formatted(Decoding.APPENDED, hour),
                "103 0 %d 8".formatted(hour));
        assertThat(appends(buffer)).isEqualTo(expected);
        assertThat(appends(RowBuffer.fromChunk(buffer.toChunk()))).isEqualTo(expected);
    }

    private static List<String> appends(RowBuffer buffer) {
        List<String> rows = new ArrayList<>();
        buffer.forEachAppend(
                (offset, time, hour, bytes) -> rows.add("%d %d %d %d".formatted(offset, time, hour, bytes)));
        return rows;
    }

    private static byte[] wrap(byte[] content) {
        byte[] compressed = Zstd.compress(content);
        ByteBuffer chunk = ByteBuffer.allocate(12 + compressed.length).order(ByteOrder.LITTLE_ENDIAN);
        chunk.put(ChunkWriter.MAGIC).put(ChunkWriter.VERSION).putInt(8, content.length);
        chunk.put(12, compressed);
        chunk.putInt(4, ChunkWriter.checksum(chunk.array()));
        return chunk.array();
    }

    /** Chunks are unwrapped into the same memory, one after another. */
    @Test
    void nothingIsReadBeyondAChunksOwnContent() throws Exception {
        Decoding decoding = new Decoding();
        for (int i = 0; i < 100; i++) {
            decoding.add(row(i));
        }
        byte[] chunk = decoding.buffers.getFirst().toChunk();
        RowBuffer.fromChunk(chunk);
        int length = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN).getInt(8);
        byte[] content = Zstd.decompress(Arrays.copyOfRange(chunk, 12, chunk.length), length);
        byte[] cut = wrap(Arrays.copyOf(content, length - 1));
        assertThatThrownBy(() -> RowBuffer.fromChunk(cut)).isInstanceOf(CorruptChunkException.class);
    }

    @Test
    void rowsCanBeAddedToThoseOfAChunk() throws Exception {
        Decoding whole = new Decoding();
        Decoding restored = new Decoding();
        for (int i = 0; i < 200; i++) {
            if (i == 100) {
                restored.buffers.set(
                        0, RowBuffer.fromChunk(restored.buffers.getFirst().toChunk()));
            }
            String row = "{\"level\":\"l%d\",\"message\":\"m\"}".formatted(i % 60);
            whole.add(row);
            restored.add(row);
        }
        assertThat(restored.rows()).isEqualTo(whole.rows());
        assertThat(vector(restored, restored.assembled(), "level").offsets()).hasSize(61);
    }

    @Test
    void aDamagedVersionIsNoticed() {
        byte[] chunk = new RowBuffer().toChunk();
        chunk[3] ^= 4;
        assertThatThrownBy(() -> RowBuffer.fromChunk(chunk))
                .isInstanceOf(CorruptChunkException.class)
                .hasMessage("The chunk is damaged: its checksum is wrong");
    }

    @Test
    void chunksOfOtherVersionsAreRefused() {
        byte[] chunk = new RowBuffer().toChunk();
        chunk[3] = 2;
        ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN).putInt(4, ChunkWriter.checksum(chunk));
        assertThatThrownBy(() -> RowBuffer.fromChunk(chunk))
                .isInstanceOf(CorruptChunkException.class)
                .hasMessage("The chunk has version 2, but this program only reads version 1");
        assertThatThrownBy(() -> RowBuffer.fromChunk("{\"a\":1, \"b\":2}".getBytes(UTF_8)))
                .isInstanceOf(CorruptChunkException.class)
                .hasMessage("The bytes do not begin with the magic of a chunk");
    }
}
