package io.cordwood.logblock;

import io.cordwood.logblock.parquet.ColumnPages;
import io.cordwood.logblock.parquet.Gather;
import io.cordwood.logblock.parquet.ParquetFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads values of one column at ascending rows, column block by column block. Not thread-safe. */
public final class ColumnCursor {
    private final ParquetFile file;
    private final Column column;
    private final ReadMetrics metrics;
    private final boolean present;
    /** The last page read, since the next rows often go on in it. */
    private int heldPage = -1;

    private Vector held;

    ColumnCursor(ParquetFile file, Column column, ReadMetrics metrics) {
        this.file = file;
        this.column = column;
        this.metrics = metrics;
        this.present = file.contains(column);
    }

    /** Values at {@code rows[from .. from + count)}, ascending and not before any row read before. */
    public Vector read(int[] rows, int from, int count) throws IOException {
        if (!present) {
            return allNull(count);
        }
        if (count == 0) {
            return allNull(0);
        }
        ColumnPages pages = file.pages(column);
        PageBatches wanted = new PageBatches(pages);
        int first = pages.pageOf(rows[from]);
        for (int i = from; i < from + count; ) {
            int page = pages.pageOf(rows[i]);
            if (page != heldPage) {
                wanted.add(page);
            }
            int end = pages.endRow(page);
            while (i < from + count && rows[i] < end) {
                i++;
            }
        }
        List<Vector> parts = new ArrayList<>();
        int next = from;
        if (first == heldPage) {
            next = gather(pages, heldPage, held, rows, next, from + count, parts);
        }
        for (int[] batch : wanted.all()) {
            List<Vector> vectors = file.read(column, batch, metrics);
            for (int i = 0; i < batch.length; i++) {
                next = gather(pages, batch[i], vectors.get(i), rows, next, from + count, parts);
            }
            heldPage = batch[batch.length - 1];
            held = vectors.getLast();
        }
        return join(parts);
    }

    private static int gather(
            ColumnPages pages, int page, Vector vector, int[] rows, int from, int to, List<Vector> parts) {
        int first = pages.firstRow(page);
        int end = pages.endRow(page);
        int next = from;
        while (next < to && rows[next] < end) {
            next++;
        }
        int[] positions = Arrays.copyOfRange(rows, from, next);
        for (int i = 0; i < positions.length; i++) {
            positions[i] -= first;
        }
        boolean whole = positions.length == vector.length();
        parts.add(whole ? vector : Gather.of(vector, positions));
        return next;
    }

    /** Parts with the same dictionary keep it; others are joined by copying. */
    private static Vector join(List<Vector> parts) {
        if (parts.size() > 1
                && parts.stream().allMatch(part -> part instanceof StringVector strings && strings.isDictionary())) {
            byte[] bytes = ((StringVector) parts.getFirst()).bytes();
            if (parts.stream().allMatch(part -> ((StringVector) part).bytes() == bytes)) {
                return joinIds(parts);
            }
        }
        return Vectors.concat(parts);
    }

    private static StringVector joinIds(List<Vector> parts) {
        StringVector first = (StringVector) parts.getFirst();
        int length = parts.stream().mapToInt(Vector::length).sum();
        int[] ids = new int[length];
        NullMask nulls = new NullMask(length);
        int at = 0;
        for (Vector part : parts) {
            System.arraycopy(((StringVector) part).ids(), 0, ids, at, part.length());
            for (int i = 0; i < part.length() && !part.nulls().isEmpty(); i++) {
                if (part.isNull(i)) {
                    nulls.set(at + i);
                }
            }
            at += part.length();
        }
        return new StringVector(first.bytes(), first.offsets(), ids, length, nulls.isEmpty() ? NullMask.none() : nulls);
    }

    private Vector allNull(int count) {
        return Vectors.allNull(column.type(), count);
    }
}
