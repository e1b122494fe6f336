package io.cordwood.logblock.parquet;

import io.cordwood.logblock.encoding.ByteSource;
import io.cordwood.logblock.index.IndexLocation;
import io.cordwood.logblock.io.LogBlockException;
import io.cordwood.logblock.io.RangeReader;
import io.cordwood.logblock.io.ReadMetrics;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;

/**
 * The data needed to open an object. Immutable.
 *
 * @param fileEnd the end of the object: at least hot index bytes, page indexes and footer
 * @param footer the parsed footer
 */
record LogBlockFooter(FileEnd fileEnd, FileMetaData footer) {
    /**
     * The minimum size of the first read, which covers footer, page indexes and hot index bytes of most LogBlocks. They
     * take some kilobytes, and in a large LogBlock one byte of every few hundred.
     */
    private static final int MIN_FIRST_READ = 8 << 10;

    private static final int MAX_FIRST_READ = 1 << 20;
    private static final int FIRST_READ_RATIO = 400;
    private static final int TRAILER = 8;
    /** The maximum size of indexes and footer, which are a small part of a LogBlock; a larger size is damage. */
    private static final long MAX_END_BYTES = 512 << 20;

    /** Reads the end of an object, in one read, or two if the indexes are large. */
    static LogBlockFooter read(RangeReader in, ReadMetrics metrics) throws IOException {
        long length = in.length();
        if (length < 2 * ParquetFileWriter.MAGIC.length + Integer.BYTES) {
            throw new LogBlockException(in.location(), "%d bytes are not a Parquet file".formatted(length));
        }
        FileEnd fileEnd = FileEnd.unread(in).grownTo(firstRead(length), metrics);
        byte[] bytes = fileEnd.bytes();
        byte[] magic = Arrays.copyOfRange(bytes, bytes.length - ParquetFileWriter.MAGIC.length, bytes.length);
        if (!Arrays.equals(magic, ParquetFileWriter.MAGIC)) {
            throw new LogBlockException(in.location(), "does not end as a Parquet file: truncated or not Parquet");
        }
        int footerLength = new ByteSource(bytes, bytes.length - TRAILER, bytes.length).readInt();
        if (footerLength <= 0 || footerLength > length - TRAILER) {
            throw new LogBlockException(in.location(), "a footer of %d bytes: damaged".formatted(footerLength));
        }
        fileEnd = fileEnd.grownTo(footerLength + TRAILER, metrics);
        FileMetaData footer = readFooter(in, fileEnd.bytes(), footerLength);
        try {
            long indexStart = indexStart(footer, length - TRAILER - footerLength);
            if (length - indexStart > MAX_END_BYTES) {
                throw new LogBlockException(
                        in.location(),
                        "its indexes would begin at %d of %d bytes: damaged".formatted(indexStart, length));
            }
            fileEnd = fileEnd.grownTo(Math.toIntExact(length - indexStart), metrics);
            metrics.bytesRead.add(length - indexStart);
            int footerEnd = fileEnd.bytes().length - TRAILER;
            FooterChecksum.require(in, fileEnd.bytes(), footerEnd - footerLength, footerEnd);
            return new LogBlockFooter(fileEnd, footer);
        } catch (RuntimeException e) {
            throw new LogBlockException(in.location(), "footer is inconsistent: damaged", e);
        }
    }

    private static int firstRead(long length) {
        return (int) Math.min(length, Math.min(MAX_FIRST_READ, MIN_FIRST_READ + length / FIRST_READ_RATIO));
    }

    private static FileMetaData readFooter(RangeReader in, byte[] fileEnd, int footerLength) throws IOException {
        int start = fileEnd.length - TRAILER - footerLength;
        try {
            return Util.readFileMetaData(new ByteArrayInputStream(fileEnd, start, footerLength));
        } catch (IOException | RuntimeException e) {
            throw new LogBlockException(in.location(), "footer cannot be read: damaged", e);
        }
    }

    /** The start of the hot index bytes, or else of the page indexes. */
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
        return hotOffset < 0 || start - hotOffset > MAX_END_BYTES ? start : Math.min(start, hotOffset);
    }

    /** The footer's key-value metadata. */
    static Map<String, String> keyValues(FileMetaData footer) {
        Map<String, String> keyValues = new LinkedHashMap<>();
        if (footer.isSetKey_value_metadata()) {
            for (KeyValue keyValue : footer.getKey_value_metadata()) {
                keyValues.put(keyValue.getKey(), keyValue.isSetValue() ? keyValue.getValue() : "");
            }
        }
        return Collections.unmodifiableMap(keyValues);
    }
}
