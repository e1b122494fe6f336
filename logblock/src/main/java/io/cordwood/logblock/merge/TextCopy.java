package io.cordwood.logblock.merge;

import io.cordwood.logblock.index.FieldIndex;
import io.cordwood.logblock.parquet.ColumnPages;
import io.cordwood.logblock.parquet.ColumnPart;
import io.cordwood.logblock.parquet.ColumnValues;
import io.cordwood.logblock.parquet.StoredText;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.logblock.vector.Vectors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Divides a text column of a batch into pages of inputs that are copied and rows between them that are read. A page is
 * copied if all its rows are in the batch, with no other between them. Not thread-safe.
 */
final class TextCopy {
    private final Column column;
    private final List<InputCursor> inputs;
    /** The input of each row. */
    private final int[] sources;
    /** The rows of each input, in order. */
    private final int[][] taken;

    private final List<Stretch> stretches = new ArrayList<>();

    /** Rows {@code [from, to)} of the batch that are whole pages of an input. */
    private record Stretch(int from, int to, ColumnPart.Pages pages) {}

    /**
     * @param inputs the inputs of the batch
     * @param sources the input of each row
     */
    TextCopy(Column column, List<InputCursor> inputs, int[] sources) {
        this.column = column;
        this.inputs = inputs;
        this.sources = sources;
        this.taken = inputs.stream().map(InputCursor::taken).toArray(int[][]::new);
    }

    /** @param position the column's position in the schema */
    ColumnValues parts(int position) throws IOException {
        findStretches();
        Vector others = others(position);
        List<ColumnPart> parts = new ArrayList<>();
        int row = 0;
        int next = 0;
        for (Stretch stretch : stretches) {
            next = addValues(others, next, stretch.from() - row, parts);
            parts.add(stretch.pages());
            row = stretch.to();
        }
        addValues(others, next, sources.length - row, parts);
        return new ColumnValues(parts);
    }

    private static int addValues(Vector values, int from, int count, List<ColumnPart> parts) {
        if (count > 0) {
            parts.add(new ColumnPart.InMemory(Vectors.slice(values, from, count)));
        }
        return from + count;
    }

    private void findStretches() throws IOException {
        int[] next = new int[taken.length];
        int from = 0;
        while (from < sources.length) {
            int source = sources[from];
            int first = taken[source][next[source]];
            int to = from;
            while (to < sources.length && sources[to] == source && taken[source][next[source]] == first + to - from) {
                next[source]++;
                to++;
            }
            addStretch(inputs.get(source), from, first, to - from);
            from = to;
        }
    }

    /** @param first the first of consecutive rows of an input, which are rows of the batch from {@code from} on */
    private void addStretch(InputCursor input, int from, int first, int count) throws IOException {
        Optional<StoredText> text = input.storedText(column);
        if (text.isEmpty()) {
            return;
        }
        ColumnPages pages = text.get().pages();
        int fromPage = pages.pageOf(first);
        if (pages.firstRow(fromPage) < first) {
            fromPage++;
        }
        int toPage = fromPage;
        while (toPage < pages.count() && pages.endRow(toPage) <= first + count) {
            toPage++;
        }
        // An index is loaded only if there are pages to copy
        Optional<FieldIndex> terms = fromPage < toPage ? input.terms(column) : Optional.empty();
        if (terms.isPresent()) {
            input.setCopied();
            ColumnPart.Pages copied = new ColumnPart.Pages(text.get(), terms.get(), fromPage, toPage);
            int start = from + copied.firstRow() - first;
            stretches.add(new Stretch(start, start + copied.rows(), copied));
        }
    }

    /** The values of all rows that are in no stretch. */
    private Vector others(int position) throws IOException {
        RowNumbers[] rows = new RowNumbers[taken.length];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = new RowNumbers();
        }
        RowNumbers otherSources = new RowNumbers();
        int[] next = new int[taken.length];
        int stretch = 0;
        for (int row = 0; row < sources.length; row++) {
            int source = sources[row];
            int sourceRow = taken[source][next[source]++];
            if (stretch < stretches.size() && row >= stretches.get(stretch).to()) {
                stretch++;
            }
            if (stretch == stretches.size() || row < stretches.get(stretch).from()) {
                rows[source].add(sourceRow);
                otherSources.add(source);
            }
        }
        List<Vector> values = new ArrayList<>();
        for (int source = 0; source < rows.length; source++) {
            values.add(inputs.get(source).values(position, rows[source].toArray()));
        }
        int[] counts = Arrays.stream(rows).mapToInt(RowNumbers::size).toArray();
        return new RowOrder(otherSources.toArray(), counts).apply(values);
    }
}
