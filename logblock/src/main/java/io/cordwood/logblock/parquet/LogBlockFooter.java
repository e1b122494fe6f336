package io.cordwood.logblock.parquet;

import io.cordwood.logblock.encoding.ByteSource;
import io.cordwood.logblock.index.IndexLocation;
import io.cordwood.logblock.io.LogBlockException;
import io.cordwood.logblock.io.RangeReader;
import io.cordwood.logblock.io.ReadMetrics;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;

/**
 * What opening an object needs. Immutable.
 *
 * @param tail hot index bytes, page indexes and footer, at least
 * @param footer the footer in them
 */
record LogBlockFooter(FileEnd tail, FileMetaData footer) {
    /**
     * The end of an object that is read first holds footer, page indexes and hot index bytes of most LogBlocks: some
     * kilobytes, and of a large one a byte of every few hundred.
     */
    private static final int MIN_FIRST_READ = 8 << 10;

    private static final int MAX_FIRST_READ = 1 << 20;
    private static final int FIRST_READ_RATIO = 400;
    private static final int TRAILER = 8;
    /** Indexes and footer together are a small part of a LogBlock; more is damage. */
    private static final long MAX_TAIL = 512 << 20;

    /** Reads the end: once, or twice if the indexes are large. */
    static LogBlockFooter read(RangeReader in, ReadMetrics metrics) throws IOException {
        long length = in.length();
        if (length < 2 * ParquetFileWriter.MAGIC.length + Integer.BYTES) {
            throw new LogBlockException(in.location(), "%d bytes are no Parquet file".formatted(length));
        }
        FileEnd tail = FileEnd.unread(in).grownTo(firstRead(length), metrics);
        byte[] bytes = tail.bytes();
        byte[] magic = Arrays.copyOfRange(bytes, bytes.length - ParquetFileWriter.MAGIC.length, bytes.length);
        if (!Arrays.equals(magic, ParquetFileWriter.MAGIC)) {
            throw new LogBlockException(in.location(), "does not end as a Parquet file: truncated or not Parquet");
        }
        int footerLength = new ByteSource(bytes, bytes.length - TRAILER, bytes.length).readInt();
        if (footerLength <= 0 || footerLength > length - TRAILER) {
            throw new LogBlockException(in.location(), "a footer of %d bytes: damaged".formatted(footerLength));
        }
        tail = tail.grownTo(footerLength + TRAILER, metrics);
        FileMetaData footer = readFooter(in, tail.bytes(), footerLength);
        try {
            long indexStart = indexStart(footer, length - TRAILER - footerLength);
            if (length - indexStart > MAX_TAIL) {
                throw new LogBlockException(
                        in.location(),
                        "its indexes would begin at %d of %d bytes: damaged".formatted(indexStart, length));
            }
            tail = tail.grownTo(Math.toIntExact(length - indexStart), metrics);
            metrics.bytesRead.add(length - indexStart);
            int footerEnd = tail.bytes().length - TRAILER;
            FooterChecksum.require(in, tail.bytes(), footerEnd - footerLength, footerEnd);
            return new LogBlockFooter(tail, footer);
        } catch (RuntimeException e) {
            throw new LogBlockException(in.location(), "footer makes no sense: damaged", e);
        }
    }

    private static int firstRead(long length) {
        return (int) Math.min(length, Math.min(MAX_FIRST_READ, MIN_FIRST_READ + length / FIRST_READ_RATIO));
    }

    private static FileMetaData readFooter(RangeReader in, byte[] tail, int footerLength) throws IOException {
        int start = tail.length - TRAILER - footerLength;
        try {
            return Util.readFileMetaData(new ByteArrayInputStream(tail, start, footerLength));
        } catch (IOException | RuntimeException e) {
            throw new LogBlockException(in.location(), "footer cannot be read: damaged", e);
        }
    }

    /** Where hot index bytes or page indexes start. */
    private static long indexStart(FileMetaData footer, long footerStart) {
        long start = footerStart;
        for (RowGroup group : footer.getRow_groups()) {
            for (ColumnChunk chunk : group.getColumns()) {
                start = chunk.isSetColumn_index_offset() ? Math.min(start, chunk.getColumn_index_offset()) : start;
                start = chunk.isSetOffset_index_offset() ? Math.min(start, chunk.getOffset_index_offset()) : start;
            }
        }
        long hotOffset = IndexLocation.load(keyValues(footer))
                .map(IndexLocation::hotOffset)
                .orElse(start);
        return hotOffset < 0 || start - hotOffset > MAX_TAIL ? start : Math.min(start, hotOffset);
    }

    /** The footer's key-value metadata. */
    static Map<String, String> keyValues(FileMetaData footer) {
        Map<String, String> keyValues = new LinkedHashMap<>();
        if (footer.isSetKey_value_metadata()) {
            for (KeyValue keyValue : footer.getKey_value_metadata()) {
                keyValues.put(keyValue.getKey(), keyValue.isSetValue() ? keyValue.getValue() : "");
            }
        }
        return keyValues;
    }
}
