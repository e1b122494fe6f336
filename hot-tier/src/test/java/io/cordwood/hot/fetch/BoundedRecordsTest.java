package io.cordwood.hot.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.services.Bombs;
import io.cordwood.services.Bombs.Zeros;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.CloseableIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xerial.snappy.Snappy;

/** What a consumer unpacks of batches that no one should send. */
@Timeout(600)
class BoundedRecordsTest {
    private static final byte[] TENANT = "acme".getBytes(UTF_8);
    private static final byte[] SMALL = "{}".getBytes(UTF_8);
    private static final Zeros GOOD = Zeros.value(TENANT, 2);

    @ParameterizedTest
    @EnumSource
    void whatFitsIsAsKafkaUnpacksIt(CompressionType compression) {
        SimpleRecord[] sent = {
            new SimpleRecord(1, TENANT, SMALL, new Header[] {new RecordHeader("a", SMALL)}),
            new SimpleRecord(2, null, new byte[16 << 20]),
            new SimpleRecord(3, TENANT, null),
            new SimpleRecord(4, (byte[]) null, null, new Header[] {new RecordHeader("b", null)})
        };
        MemoryRecords fetched =
                MemoryRecords.withRecords(100, Compression.of(compression).build(), sent);
        List<Record> plain = new ArrayList<>();
        fetched.records().forEach(plain::add);
        assertThat(read(fetched)).isEqualTo(plain).hasSize(4);
    }

    @ParameterizedTest
    @EnumSource
    void aValueThatUnpacksToTooMuchIsRefusedAndTheNextIsRead(CompressionType compression) throws IOException {
        int huge = switch (compression) {
            case NONE -> 30 << 20;
            case SNAPPY -> 200 << 20;
            case GZIP, LZ4, ZSTD -> 1_500_000_000;
        };
        Zeros bomb = Zeros.value(TENANT, huge);
        List<Record> records = read(Bombs.batch(compression, List.of(bomb, GOOD, bomb)));
        assertThat(records).extracting(Record::offset).containsExactly(0L, 1L, 2L);
        for (int at : new int[] {0, 2}) {
            assertThat(refusal(records.get(at)))
                    .isEqualTo("It unpacks to %d bytes; the limit is 20971520".formatted(bomb.sizeInBytes(at)));
            assertThat(records.get(at).key()).isEqualTo(ByteBuffer.wrap(TENANT));
            assertThat(records.get(at).hasValue()).isFalse();
        }
        assertThat(refusal(records.get(1))).isEmpty();
        assertThat(records.get(1).value()).isEqualTo(ByteBuffer.wrap(new byte[2]));
    }

    @Test
    void keysCount() throws IOException {
        List<Record> records = read(Bombs.batch(
                CompressionType.ZSTD,
                List.of(Zeros.key(1_500_000_000), Zeros.key(10 << 10), Zeros.keyAlone(20 << 10))));
        assertThat(refusal(records.get(0))).contains("the limit is 20971520");
        assertThat(records.get(0).hasKey()).isFalse();
        assertThat(refusal(records.get(1))).isEmpty();
        // A poll cannot leave it for the next one, and there may be hundreds of them in it.
        assertThat(refusal(records.get(2))).contains("no value; the limit is 16384");
    }

    @ParameterizedTest
    @EnumSource(names = {"NONE", "ZSTD"})
    void headersCount(CompressionType compression) throws IOException {
        List<Record> records = read(Bombs.batch(
                compression,
                List.of(
                        Zeros.headers(TENANT, 8_000_000, 0),
                        Zeros.headers(TENANT, 10, 3 << 20),
                        Zeros.headers(TENANT, 1000, 100))));
        assertThat(refusal(records.get(0))).contains("with 8000000 headers").contains("the limit is 20971520");
        assertThat(records.get(0).key()).isEqualTo(ByteBuffer.wrap(TENANT));
        assertThat(refusal(records.get(1))).contains("the limit is 20971520");
        assertThat(refusal(records.get(2))).isEmpty();
        assertThat(records.get(2).headers()).hasSize(1000);
    }

    /** A batch of a megabyte unpacks to a terabyte if it is let. */
    @Test
    void whatIsBehindTooManyBytesIsNotRead() throws IOException {
        Zeros bomb = Zeros.value(TENANT, 1_500_000_000);
        List<Record> records = read(Bombs.batch(CompressionType.ZSTD, List.of(bomb, bomb, GOOD, GOOD)));
        assertThat(records).extracting(Record::offset).containsExactly(0L, 1L, 2L, 3L);
        assertThat(records.subList(2, 4))
                .allSatisfy(record -> assertThat(refusal(record)).contains("unpack to more than 2147483648 bytes"));
    }

    /** Its library would take memory for the block, whatever the records in it. */
    @Test
    void aBlockOfSnappyIsUnpackedWhole() throws IOException {
        byte[] block = Snappy.compress(new byte[200 << 20]);
        assertThat(SnappyBlocks.largest(ByteBuffer.wrap(block))).isEqualTo(200 << 20);
        ByteBuffer stream = ByteBuffer.allocate(20 + block.length)
                .put(new byte[] {(byte) 0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0, 0, 0, 0, 1, 0, 0, 0, 1})
                .putInt(block.length)
                .put(block)
                .flip();
        assertThat(SnappyBlocks.largest(stream)).isEqualTo(200 << 20);
        assertThat(SnappyBlocks.largest(stream.duplicate().limit(100))).isEqualTo(Long.MAX_VALUE);

        List<Record> records = read(Bombs.raw(CompressionType.SNAPPY, block, 2));
        assertThat(records).extracting(Record::offset).containsExactly(0L, 1L);
        assertThat(records)
                .allSatisfy(record -> assertThat(refusal(record)).contains("that unpacks to 209715200 bytes"));
    }

    /** The reason is no header that a producer can send. */
    @Test
    void noProducerCanRefuseARecord() {
        MemoryRecords sent =
                MemoryRecords.withRecords(0, Compression.NONE, new SimpleRecord(1, TENANT, SMALL, new Header[] {
                    new RecordHeader("cordwood.refused", SMALL)
                }));
        assertThat(refusal(read(sent).getFirst())).isEmpty();
    }

    private static List<Record> read(MemoryRecords fetched) {
        List<Record> records = new ArrayList<>();
        for (RecordBatch batch : new BoundedRecords(fetched).batches()) {
            try (CloseableIterator<Record> iterator = batch.streamingIterator(BufferSupplier.create())) {
                iterator.forEachRemaining(records::add);
            }
        }
        return records;
    }

    private static String refusal(Record record) {
        return Refusal.of(new RecordHeaders(record.headers())).map(Refusal::why).orElse("");
    }
}
