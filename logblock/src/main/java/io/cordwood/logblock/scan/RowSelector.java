package io.cordwood.logblock.scan;

import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.match.MatchNode;
import io.cordwood.logblock.parquet.ColumnPages;
import io.cordwood.logblock.parquet.ParquetFile;
import io.cordwood.logblock.predicate.LikePattern;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.Ranges;
import io.cordwood.logblock.predicate.ValueTest;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.vector.Vector;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.util.FixedBitSet;

/**
 * Narrows candidate rows of a batch by a predicate, cheapest part first: terms that the index answers, then terms that
 * it narrows, then terms that need the values. Bit 0 is the batch's first row. Negation is pushed down to the leaves,
 * where a null is neither true nor false. For one thread and one selection.
 */
final class RowSelector {
    /** Provides readers of columns that the file contains. */
    @FunctionalInterface
    interface Readers {
        PageReader of(Column column) throws IOException;
    }

    private final ParquetFile file;
    private final Optional<IndexAnswers> index;
    private final Readers readers;
    private final ReadOptions options;
    private final ReadMetrics metrics;
    private final int windowOffset;
    private final boolean readsOn;
    private final int from;
    private final int length;
    private boolean readValues;

    /**
     * @param index the index's answers for the window
     * @param window the rows of the whole scan
     * @param batch the rows of the batch
     * @param readsOn whether the rows after the batch are read next
     */
    RowSelector(
            ParquetFile file,
            Optional<IndexAnswers> index,
            Readers readers,
            ReadOptions options,
            ReadMetrics metrics,
            RowRange window,
            RowRange batch,
            boolean readsOn) {
        this.file = file;
        this.index = index;
        this.readers = readers;
        this.options = options;
        this.metrics = metrics;
        this.windowOffset = batch.from() - window.from();
        this.readsOn = readsOn;
        this.from = batch.from();
        this.length = batch.length();
    }

    RowSet select(Predicate predicate) throws IOException {
        FixedBitSet all = new FixedBitSet(length);
        all.set(0, length);
        return new RowSet(from, filter(predicate, false, all));
    }

    /** Whether the selection has read values. */
    boolean hasReadValues() {
        return readValues;
    }

    /** The candidates for which the predicate is true, or false if {@code negated}. Does not modify its argument. */
    private FixedBitSet filter(Predicate predicate, boolean negated, FixedBitSet candidates) throws IOException {
        if (candidates.scanIsEmpty()) {
            return candidates;
        }
        return switch (predicate) {
            case Predicate.And and -> combine(cheapestFirst(and.terms()), !negated, candidates, narrower(negated));
            case Predicate.Or or -> combine(cheapestFirst(or.terms()), negated, candidates, narrower(negated));
            case Predicate.Not not -> filter(not.term(), !negated, candidates);
            case Predicate.Match match -> match(match.column(), match.query().root(), negated, candidates);
            case Predicate.IsNull isNull -> nulls(isNull.column(), !negated, candidates);
            case Predicate.In in -> leaf(in.column(), negated, candidates, rows -> in(in, rows));
            case Predicate.Like like -> leaf(like.column(), negated, candidates, rows -> like(like, rows));
        };
    }

    private Narrower<Predicate> narrower(boolean negated) {
        return (term, rows) -> filter(term, negated, rows);
    }

    /** Narrows candidates to those for which a term is true. */
    @FunctionalInterface
    private interface Narrower<T> {
        FixedBitSet narrow(T term, FixedBitSet candidates) throws IOException;
    }

    /** The candidates for which all terms, or any term, are true. */
    private <T> FixedBitSet combine(List<T> terms, boolean all, FixedBitSet candidates, Narrower<T> narrower)
            throws IOException {
        if (all) {
            FixedBitSet rows = candidates;
            for (T term : terms) {
                rows = narrower.narrow(term, rows);
            }
            return rows;
        }
        FixedBitSet found = new FixedBitSet(length);
        FixedBitSet rest = candidates.clone();
        for (T term : terms) {
            FixedBitSet rows = narrower.narrow(term, rest);
            found.or(rows);
            rest.andNot(rows);
        }
        return found;
    }

    private static List<Predicate> cheapestFirst(List<Predicate> terms) {
        return terms.stream().sorted(Comparator.comparingInt(RowSelector::cost)).toList();
    }

    /** The rough cost of a predicate: the index is cheapest, and numbers are cheaper than text. */
    private static int cost(Predicate predicate) {
        return switch (predicate) {
            case Predicate.Match match -> match.column().index() == IndexKind.TEXT ? 2 : 1;
            case Predicate.In in ->
                in.column().index() == IndexKind.KEYWORD ? 0 : in.column().index() == IndexKind.TEXT ? 6 : 3;
            case Predicate.IsNull _isNull -> 4;
            case Predicate.Like like -> like.column().index() == IndexKind.KEYWORD ? 1 : 5;
            case Predicate.Not not -> cost(not.term());
            case Predicate.And and ->
                and.terms().stream().mapToInt(RowSelector::cost).max().orElse(0);
            case Predicate.Or or ->
                or.terms().stream().mapToInt(RowSelector::cost).max().orElse(0);
        };
    }

    private FixedBitSet match(Column column, MatchNode node, boolean negated, FixedBitSet candidates)
            throws IOException {
        return switch (node) {
            case MatchNode.And and ->
                combine(and.terms(), !negated, candidates, (term, rows) -> match(column, term, negated, rows));
            case MatchNode.Or or ->
                combine(or.terms(), negated, candidates, (term, rows) -> match(column, term, negated, rows));
            case MatchNode.Not not -> match(column, not.term(), !negated, candidates);
            case MatchNode.Phrase phrase -> leaf(column, negated, candidates, rows -> phrase(column, phrase, rows));
        };
    }

    /** Narrows candidates to those for which a leaf is true; may return its argument. */
    @FunctionalInterface
    private interface Leaf {
        FixedBitSet whereTrue(FixedBitSet candidates) throws IOException;
    }

    private FixedBitSet leaf(Column column, boolean negated, FixedBitSet candidates, Leaf leaf) throws IOException {
        if (!file.contains(column)) {
            return new FixedBitSet(length);
        }
        if (!negated) {
            return leaf.whereTrue(candidates);
        }
        FixedBitSet whereFalse = nulls(column, false, candidates).clone();
        whereFalse.andNot(leaf.whereTrue(whereFalse.clone()));
        return whereFalse;
    }

    private FixedBitSet phrase(Column column, MatchNode.Phrase phrase, FixedBitSet candidates) throws IOException {
        Optional<IndexAnswer> answer = index.isPresent() ? index.get().of(column, phrase) : Optional.empty();
        return answered(answer, candidates, rows -> scan(column, ValueTest.of(column.index(), phrase), rows));
    }

    private FixedBitSet in(Predicate.In in, FixedBitSet candidates) throws IOException {
        Optional<IndexAnswer> answer = index.isPresent() ? index.get().of(in) : Optional.empty();
        return answered(answer, candidates, rows -> scan(in, ValueTest.of(in), rows));
    }

    private FixedBitSet like(Predicate.Like like, FixedBitSet candidates) throws IOException {
        LikePattern pattern = LikePattern.parse(like.pattern(), like.escape());
        Optional<IndexAnswer> answer = index.isPresent() ? index.get().of(like, pattern) : Optional.empty();
        return answered(answer, candidates, rows -> scan(like.column(), new ValueTest.Text(pattern), rows));
    }

    /** Combines the sure rows of the index with the result of testing the values of possible rows. */
    private FixedBitSet answered(Optional<IndexAnswer> answer, FixedBitSet candidates, Leaf values) throws IOException {
        if (answer.isEmpty()) {
            return values.whereTrue(candidates);
        }
        FixedBitSet found = answer.get().sure(candidates, windowOffset);
        Optional<FixedBitSet> possible = answer.get().possible(candidates, windowOffset);
        if (possible.isPresent()) {
            found.or(values.whereTrue(possible.get()));
        }
        return found;
    }

    private FixedBitSet scan(Predicate.In in, ValueTest test, FixedBitSet candidates) throws IOException {
        FixedBitSet rest = candidates.clone();
        FixedBitSet found = new FixedBitSet(length);
        if (options.useStatistics()) {
            ColumnPages pages = file.pages(in.column());
            forEachPage(pages, candidates, page -> {
                if (!pages.hasBounds(page)) {
                    return;
                }
                boolean none = Ranges.excludes(in, pages.min(page), pages.max(page));
                boolean all = pages.hasNoNulls(page) && Ranges.includes(in, pages.min(page), pages.max(page));
                if (none || all) {
                    metrics.columnBlocksPrunedByStatistics.increment();
                    int low = Math.max(0, pages.firstRow(page) - from);
                    int high = Math.min(length, pages.endRow(page) - from);
                    if (all) {
                        FixedBitSet.orRange(candidates, low, found, low, high - low);
                    }
                    rest.clear(low, high);
                }
            });
        }
        found.or(scan(in.column(), test, rest));
        return found;
    }

    /** Tests the candidates' values. */
    private FixedBitSet scan(Column column, ValueTest test, FixedBitSet candidates) throws IOException {
        FixedBitSet found = new FixedBitSet(length);
        scanValues(column, candidates, (vector, first, low, high) -> {
            ValueTest.Bound bound = test.on(vector);
            for (int at = next(candidates, low, high); at >= 0; at = next(candidates, at + 1, high)) {
                int position = from + at - first;
                if (!vector.isNull(position) && bound.test(position)) {
                    found.set(at);
                }
            }
        });
        return found;
    }

    /** The candidates whose value is null, or is not null if {@code isNull} is false. */
    private FixedBitSet nulls(Column column, boolean isNull, FixedBitSet candidates) throws IOException {
        if (!file.contains(column)) {
            return isNull ? candidates : new FixedBitSet(length);
        }
        FixedBitSet found = new FixedBitSet(length);
        FixedBitSet rest = candidates.clone();
        if (column.type() != ColumnType.MAP) {
            ColumnPages pages = file.pages(column);
            forEachPage(pages, candidates, page -> {
                // Other programs may write nulls to a required column
                boolean none =
                        column.required() && file.isWrittenHere() || options.useStatistics() && pages.hasNoNulls(page);
                if (none || options.useStatistics() && pages.hasOnlyNulls(page)) {
                    int low = Math.max(0, pages.firstRow(page) - from);
                    int high = Math.min(length, pages.endRow(page) - from);
                    if (none != isNull) {
                        FixedBitSet.orRange(candidates, low, found, low, high - low);
                    }
                    rest.clear(low, high);
                }
            });
        }
        scanValues(column, rest, (vector, first, low, high) -> {
            for (int at = next(rest, low, high); at >= 0; at = next(rest, at + 1, high)) {
                if (vector.isNull(from + at - first) == isNull) {
                    found.set(at);
                }
            }
        });
        return found;
    }

    private static int next(FixedBitSet bits, int at, int end) {
        if (at >= end) {
            return -1;
        }
        int next = bits.nextSetBit(at, end);
        return next >= end ? -1 : next;
    }

    /** Visits a page with candidate rows: its values, its first row, and the part of the window that it covers. */
    @FunctionalInterface
    private interface PageVisitor {
        void visit(Vector vector, int firstRow, int low, int high);
    }

    @FunctionalInterface
    private interface PageNumberVisitor {
        void visit(int page);
    }

    private void forEachPage(ColumnPages pages, FixedBitSet candidates, PageNumberVisitor visitor) {
        int at = next(candidates, 0, length);
        while (at >= 0) {
            int page = pages.pageOf(from + at);
            visitor.visit(page);
            at = next(candidates, pages.endRow(page) - from, length);
        }
    }

    /** The last row that is needed of a page: that of the last candidate, unless the next batch reads on in it. */
    private int lastRow(int endRow, FixedBitSet candidates) {
        int end = from + length;
        return end < endRow && readsOn ? endRow - 1 : from + candidates.prevSetBit(Math.min(end, endRow) - from - 1);
    }

    private void scanValues(Column column, FixedBitSet candidates, PageVisitor visitor) throws IOException {
        PageReader reader = readers.of(column);
        ColumnPages pages = reader.pages();
        if (length > 0) {
            metrics.columnBlocksConsidered.add(pages.pageOf(from + length - 1) - (long) pages.pageOf(from) + 1);
        }
        int[] requested = new int[pages.count()];
        int[] count = {0};
        forEachPage(pages, candidates, page -> {
            requested[count[0]++] = page;
            reader.want(page, lastRow(pages.endRow(page), candidates));
        });
        readValues |= count[0] > 0;
        reader.read(Arrays.copyOf(requested, count[0]), 0, (page, values) -> {
            int first = pages.firstRow(page);
            int low = Math.max(0, first - from);
            int high = Math.min(length, pages.endRow(page) - from);
            visitor.visit(values, first, low, high);
        });
    }
}
