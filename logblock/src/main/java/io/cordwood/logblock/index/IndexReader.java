package io.cordwood.logblock.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.encoding.ByteSource;
import io.cordwood.logblock.io.RangeReader;
import io.cordwood.logblock.match.Tokenizer;
import io.cordwood.logblock.schema.Column;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.Terms;

/** A reader of the index of a LogBlock. Thread-safe. */
public final class IndexReader {
    private final TimeIndex timeIndex;
    private final MinuteIndex minuteIndex;
    private final Map<Integer, FieldEntry> entries;
    private final Optional<FieldsProducer> producer;
    private final ColdRegion region;
    private final int hotLength;

    /** The entry of a column in the hot bytes. */
    private record FieldEntry(
            int fieldId,
            int kind,
            int termCount,
            int rareCount,
            long fingerprintsOffset,
            Optional<FingerprintTable> fingerprints) {}

    private IndexReader(
            TimeIndex timeIndex,
            MinuteIndex minuteIndex,
            Map<Integer, FieldEntry> entries,
            Optional<FieldsProducer> producer,
            ColdRegion region,
            int hotLength) {
        this.timeIndex = timeIndex;
        this.minuteIndex = minuteIndex;
        this.entries = entries;
        this.producer = producer;
        this.region = region;
        this.hotLength = hotLength;
    }

    /**
     * Opens an index from its hot bytes.
     *
     * @throws IOException if the bytes are damaged, or an analyzer of another version made them
     */
    public static IndexReader open(RangeReader in, IndexLocation location, byte[] hot, int rowCount)
            throws IOException {
        if (ColdRegion.crc(hot, 0, hot.length) != location.hotChecksum()) {
            throw new CorruptIndexException("checksum of the hot index bytes is wrong", in.location());
        }
        ByteSource source = new ByteSource(hot, 0, hot.length);
        int magic = source.readInt();
        int analyzer = source.readVarint32();
        int rows = source.readVarint32();
        if (magic != IndexWriter.MAGIC || analyzer != Tokenizer.VERSION || rows != rowCount) {
            throw new CorruptIndexException(
                    "an index of %d rows by analyzer %d; %d rows and analyzer %d expected"
                            .formatted(rows, analyzer, rowCount, Tokenizer.VERSION),
                    in.location());
        }
        TimeIndex timeIndex = TimeIndex.read(source, rowCount);
        Map<Integer, FieldEntry> entries = readFields(source);
        Map<String, LuceneFile> files = readFiles(source);
        if (ColdRegion.blockCount(location.coldLength()) > source.remaining() / Integer.BYTES) {
            throw new CorruptIndexException(
                    "%d cold bytes have no checksums".formatted(location.coldLength()), in.location());
        }
        int[] checksums = new int[ColdRegion.blockCount(location.coldLength())];
        for (int i = 0; i < checksums.length; i++) {
            checksums[i] = source.readInt();
        }
        MinuteIndex minuteIndex = source.remaining() > 0 ? MinuteIndex.read(source, rowCount) : MinuteIndex.NONE;
        ColdRegion region = new ColdRegion(in, location.coldOffset(), location.coldLength(), checksums);
        Optional<FieldsProducer> producer = files.isEmpty()
                ? Optional.empty()
                : Optional.of(LuceneSegment.open(
                        new SegmentDirectory(files, region),
                        rowCount,
                        entries.values().stream()
                                .filter(entry -> entry.termCount() > 0)
                                .map(FieldEntry::fieldId)
                                .toList()));
        return new IndexReader(timeIndex, minuteIndex, entries, producer, region, hot.length);
    }

    private static Map<Integer, FieldEntry> readFields(ByteSource source) {
        int count = source.readVarint32();
        Map<Integer, FieldEntry> entries = new HashMap<>();
        for (int i = 0; i < count; i++) {
            int fieldId = source.readVarint32();
            int kind = source.readByte();
            int termCount = source.readVarint32();
            int rareCount = source.readVarint32();
            long offset = rareCount > 0 ? source.readVarint() : 0;
            Optional<FingerprintTable> fingerprints =
                    rareCount > 0 ? Optional.of(FingerprintTable.readHeader(source)) : Optional.empty();
            entries.put(fieldId, new FieldEntry(fieldId, kind, termCount, rareCount, offset, fingerprints));
        }
        return entries;
    }

    private static Map<String, LuceneFile> readFiles(ByteSource source) {
        int count = source.readVarint32();
        List<LuceneFile> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = new String(readBytes(source), UTF_8);
            boolean cold = source.readByte() == 1;
            long offset = source.readVarint();
            long length = source.readVarint();
            byte[] head = readBytes(source);
            byte[] footer = readBytes(source);
            files.add(new LuceneFile(name, cold, offset, length, head, footer));
        }
        Map<String, LuceneFile> byName = new HashMap<>();
        files.forEach(file -> byName.put(file.name(), file));
        return byName;
    }

    private static byte[] readBytes(ByteSource source) {
        int length = source.readVarint32();
        int from = source.position();
        source.skip(length);
        return Arrays.copyOfRange(source.bytes(), from, from + length);
    }

    /**
     * Reads all of the index once, and checks it.
     *
     * @throws IOException if it is damaged
     */
    public void check() throws IOException {
        region.check();
    }

    public TimeIndex timeIndex() {
        return timeIndex;
    }

    /** The first rows of minutes; empty if the LogBlock has few rows a minute, or was written without them. */
    public MinuteIndex minuteIndex() {
        return minuteIndex;
    }

    /** The index of a column; empty if there is none, or if its kind differs from the table's current one. */
    public Optional<FieldIndex> field(Column column) throws IOException {
        FieldEntry entry = entries.get(column.fieldId());
        if (entry == null || entry.kind() != IndexWriter.code(column.index())) {
            return Optional.empty();
        }
        Optional<Terms> terms = entry.termCount() == 0 || producer.isEmpty()
                ? Optional.empty()
                : Optional.of(producer.get().terms(LuceneSegment.fieldName(column.fieldId())));
        return Optional.of(new FieldIndex(
                terms, entry.termCount(), entry.rareCount(), entry.fingerprints(), entry.fingerprintsOffset(), region));
    }

    public long retainedBytes() {
        long bytes = 2L * hotLength + timeIndex.retainedBytes() + minuteIndex.retainedBytes();
        for (FieldEntry entry : entries.values()) {
            bytes += entry.fingerprints()
                    .map(table -> 4L * table.bucketOffsets().length)
                    .orElse(0L);
        }
        return bytes;
    }
}
