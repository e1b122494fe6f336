package io.cordwood.logblock.parquet;

import io.cordwood.logblock.encoding.MalformedPageException;
import io.cordwood.logblock.schema.ColumnType;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.parquet.format.ColumnIndex;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.PageLocation;

/** The locations of one leaf column's pages over all row groups, with statistics of their values. Immutable. */
public final class ColumnPages {
    private final ColumnType type;
    private final long[] offsets;
    private final int[] sizes;
    /** First row of each page within the file; one more entry than pages. */
    private final int[] firstRows;

    private final int[] rowGroups;
    private final long[] nullCounts;
    private final byte[][] mins;
    private final byte[][] maxs;
    private final long[] valueBytes;

    /** The part of one row group. */
    record Part(
            int rowGroup,
            int firstRow,
            int rows,
            long fileLength,
            OffsetIndex offsetIndex,
            Optional<ColumnIndex> columnIndex) {
        /** Validates the OffsetIndex, which has no checksum, before its contents are used to allocate or iterate. */
        void requireSound() {
            long previous = -1;
            for (PageLocation location : offsetIndex.getPage_locations()) {
                long first = location.getFirst_row_index();
                boolean inOrder = previous < 0 ? first == 0 : first > previous;
                boolean inFile = location.getOffset() > 0
                        && location.getCompressed_page_size() > 0
                        && location.getOffset() <= fileLength - location.getCompressed_page_size();
                if (!inOrder || first >= rows || !inFile) {
                    throw new MalformedPageException("page of %d bytes at %d from row %d of %d"
                            .formatted(location.getCompressed_page_size(), location.getOffset(), first, rows));
                }
                previous = first;
            }
            int pages = offsetIndex.getPage_locationsSize();
            if (rows > 0 && pages == 0
                    || columnIndex.isPresent() && columnIndex.get().getNull_pagesSize() != pages) {
                throw new MalformedPageException("%d pages for %d rows".formatted(pages, rows));
            }
        }

        long valueBytes(int page) {
            return offsetIndex.isSetUnencoded_byte_array_data_bytes()
                    ? offsetIndex.getUnencoded_byte_array_data_bytes().get(page)
                    : offsetIndex.getPage_locations().get(page).getCompressed_page_size();
        }
    }

    ColumnPages(ColumnType type, List<Part> parts, int rowCount) {
        int pages = parts.stream()
                .mapToInt(part -> part.offsetIndex().getPage_locations().size())
                .sum();
        this.type = type;
        this.offsets = new long[pages];
        this.sizes = new int[pages];
        this.firstRows = new int[pages + 1];
        this.rowGroups = new int[pages];
        this.nullCounts = new long[pages];
        this.mins = new byte[pages][];
        this.maxs = new byte[pages][];
        this.valueBytes = new long[pages];
        Arrays.fill(nullCounts, -1);
        int page = 0;
        for (Part part : parts) {
            int first = page;
            part.requireSound();
            for (PageLocation location : part.offsetIndex().getPage_locations()) {
                offsets[page] = location.getOffset();
                sizes[page] = location.getCompressed_page_size();
                firstRows[page] = part.firstRow() + Math.toIntExact(location.getFirst_row_index());
                rowGroups[page] = part.rowGroup();
                valueBytes[page] = part.valueBytes(page - first);
                page++;
            }
            part.columnIndex().ifPresent(index -> loadBounds(index, first));
        }
        firstRows[pages] = rowCount;
    }

    private void loadBounds(ColumnIndex index, int first) {
        for (int i = 0; i < index.getNull_pages().size(); i++) {
            if (index.isSetNull_counts()) {
                nullCounts[first + i] = index.getNull_counts().get(i);
            }
            if (!index.getNull_pages().get(i)) {
                mins[first + i] = bound(index.getMin_values().get(i));
                maxs[first + i] = bound(index.getMax_values().get(i));
            }
        }
    }

    private byte[] bound(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        boolean fits = switch (type) {
            case BIGINT, TIMESTAMP, DOUBLE -> bytes.length == Long.BYTES;
            case BOOLEAN -> bytes.length == 1;
            case VARCHAR, MAP -> true;
        };
        if (!fits) {
            throw new MalformedPageException("a bound of %d bytes for %s".formatted(bytes.length, type));
        }
        return bytes;
    }

    /** The type of the leaf's values. */
    ColumnType type() {
        return type;
    }

    public int count() {
        return offsets.length;
    }

    public int firstRow(int page) {
        return firstRows[page];
    }

    /** The row after the page's last row. */
    public int endRow(int page) {
        return firstRows[page + 1];
    }

    public int rows(int page) {
        return firstRows[page + 1] - firstRows[page];
    }

    /** The page that holds a row. */
    public int pageOf(int row) {
        int found = Arrays.binarySearch(firstRows, 0, offsets.length, row);
        return found >= 0 ? found : -found - 2;
    }

    long offset(int page) {
        return offsets[page];
    }

    int size(int page) {
        return sizes[page];
    }

    int rowGroup(int page) {
        return rowGroups[page];
    }

    /** Whether the page is known to have no nulls. */
    public boolean hasNoNulls(int page) {
        return nullCounts[page] == 0;
    }

    public boolean hasOnlyNulls(int page) {
        return nullCounts[page] == rows(page);
    }

    /** The size of the page's text values as counted by the writer; without a count, the page's compressed size. */
    public long valueBytes(int page) {
        return valueBytes[page];
    }

    public boolean hasBounds(int page) {
        return mins[page] != null;
    }

    /** A lower bound of the page's values. */
    public Object min(int page) {
        return MinMax.value(type, mins[page]);
    }

    /** An upper bound of the page's values. */
    public Object max(int page) {
        return MinMax.value(type, maxs[page]);
    }

    long retainedBytes() {
        long bytes = 40L * offsets.length;
        for (int i = 0; i < mins.length; i++) {
            bytes += mins[i] == null ? 0 : 32 + mins[i].length + maxs[i].length;
        }
        return bytes;
    }
}
