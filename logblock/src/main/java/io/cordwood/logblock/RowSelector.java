package io.cordwood.logblock;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.index.FieldIndex;
import io.cordwood.logblock.index.IndexReader;
import io.cordwood.logblock.match.MatchNode;
import io.cordwood.logblock.match.ValueMatcher;
import io.cordwood.logblock.parquet.ColumnPages;
import io.cordwood.logblock.parquet.ParquetFile;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.util.FixedBitSet;

/**
 * Narrows candidate rows by a predicate, cheapest part first: what the index answers, then what it narrows, then what
 * only the values tell. Rows are those of a window; bit 0 is its first. Negation is carried down to the leaves, where a
 * null is neither true nor false. For one thread and one selection.
 */
final class RowSelector {
    /** With more terms than this, walking a dictionary costs more than reading the values. */
    private static final int MAX_TERMS_WALKED = 1 << 16;

    private final ParquetFile file;
    private final Optional<IndexReader> index;
    private final ReadOptions options;
    private final ReadMetrics metrics;
    private final int from;
    private final int length;

    RowSelector(
            ParquetFile file, Optional<IndexReader> index, ReadOptions options, ReadMetrics metrics, int from, int to) {
        this.file = file;
        this.index = index;
        this.options = options;
        this.metrics = metrics;
        this.from = from;
        this.length = to - from;
    }

    RowSet select(Predicate predicate) throws IOException {
        FixedBitSet all = new FixedBitSet(length);
        all.set(0, length);
        return new RowSet(from, filter(predicate, false, all));
    }

    /** The candidates for which the predicate is true, or false if {@code negated}. Does not change its argument. */
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

    /** The candidates for which all terms are true, or any. */
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

    /** A rough order: the index first, numbers before text. */
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

    /** Narrows candidates to those for which a leaf is true; may give back its argument. */
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

    private Optional<FieldIndex> field(Column column) throws IOException {
        return index.isPresent() && column.index() != IndexKind.NONE
                ? index.get().field(column)
                : Optional.empty();
    }

    private FixedBitSet phrase(Column column, MatchNode.Phrase phrase, FixedBitSet candidates) throws IOException {
        ValueTest test = ValueTest.of(column.index(), phrase);
        Optional<FieldIndex> field = field(column);
        if (field.isEmpty()) {
            return scan(column, test, candidates);
        }
        return column.index() == IndexKind.KEYWORD
                ? byTerms(column, field.get(), new byte[0], phrase::matchesKeyword, test, candidates)
                : tokens(column, field.get(), phrase, test, candidates);
    }

    private FixedBitSet tokens(
            Column column, FieldIndex field, MatchNode.Phrase phrase, ValueTest test, FixedBitSet candidates)
            throws IOException {
        List<byte[]> tokens = phrase.tokens();
        if (tokens.size() == 1 && phrase.prefix()) {
            return byPrefix(column, field, tokens.getFirst(), test, candidates);
        }
        FixedBitSet rows = candidates.clone();
        boolean exact = tokens.size() == 1;
        int whole = phrase.prefix() ? tokens.size() - 1 : tokens.size();
        for (byte[] token : tokens.subList(0, whole)) {
            exact &= narrow(column, field, token, rows);
            if (rows.scanIsEmpty()) {
                return rows;
            }
        }
        return exact ? rows : scan(column, test, rows);
    }

    /** Keeps the rows in which a term stands, and such as may be; returns whether only the former are left. */
    private boolean narrow(Column column, FieldIndex field, byte[] term, FixedBitSet rows) throws IOException {
        FixedBitSet found = new FixedBitSet(length);
        boolean inDictionary = field.addRows(term, from, found);
        if (!inDictionary) {
            ColumnPages pages = file.pages(column);
            for (int page : field.blocksOfSingle(term)) {
                set(found, pages.firstRow(page), pages.endRow(page));
            }
        }
        rows.and(found);
        return inDictionary || rows.scanIsEmpty();
    }

    /** Sets the rows {@code [first, end)} as far as they lie in the window. */
    private void set(FixedBitSet rows, int first, int end) {
        int low = Math.max(0, first - from);
        int high = Math.min(length, end - from);
        if (low < high) {
            rows.set(low, high);
        }
    }

    private FixedBitSet byPrefix(Column column, FieldIndex field, byte[] prefix, ValueTest test, FixedBitSet candidates)
            throws IOException {
        FixedBitSet found = new FixedBitSet(length);
        field.addRows(prefix, (utf8, start, end) -> true, from, found);
        found.and(candidates);
        return field.singleCount() == 0 ? found : withScanOfRest(column, test, candidates, found);
    }

    /** Rows whose whole value matches: by walking the dictionary, or by the values where it is too large. */
    private FixedBitSet byTerms(
            Column column,
            FieldIndex field,
            byte[] prefix,
            ValueMatcher matcher,
            ValueTest test,
            FixedBitSet candidates)
            throws IOException {
        if (field.termCount() > MAX_TERMS_WALKED && prefix.length == 0) {
            return scan(column, test, candidates);
        }
        FixedBitSet found = new FixedBitSet(length);
        field.addRows(prefix, matcher, from, found);
        found.and(candidates);
        return field.singleCount() == 0 ? found : withScanOfRest(column, test, candidates, found);
    }

    private FixedBitSet withScanOfRest(Column column, ValueTest test, FixedBitSet candidates, FixedBitSet found)
            throws IOException {
        FixedBitSet rest = candidates.clone();
        rest.andNot(found);
        found.or(scan(column, test, rest));
        return found;
    }

    private FixedBitSet in(Predicate.In in, FixedBitSet candidates) throws IOException {
        ValueTest test = ValueTest.of(in);
        Optional<FieldIndex> field = in.column().index() == IndexKind.KEYWORD ? field(in.column()) : Optional.empty();
        if (field.isEmpty()) {
            return scan(in, test, candidates);
        }
        if (!in.ranges().stream().allMatch(Predicate.ValueRange::isSingleValue)) {
            ValueMatcher matcher = ((ValueTest.Text) test).matcher();
            return byTerms(in.column(), field.get(), new byte[0], matcher, test, candidates);
        }
        FixedBitSet exact = new FixedBitSet(length);
        FixedBitSet possible = new FixedBitSet(length);
        for (Predicate.ValueRange range : in.ranges()) {
            byte[] term = ((String) range.low().orElseThrow()).getBytes(UTF_8);
            if (!field.get().addRows(term, from, exact)) {
                ColumnPages pages = file.pages(in.column());
                for (int page : field.get().blocksOfSingle(term)) {
                    set(possible, pages.firstRow(page), pages.endRow(page));
                }
            }
        }
        exact.and(candidates);
        possible.and(candidates);
        possible.andNot(exact);
        if (!possible.scanIsEmpty()) {
            exact.or(scan(in.column(), test, possible));
        }
        return exact;
    }

    private FixedBitSet like(Predicate.Like like, FixedBitSet candidates) throws IOException {
        LikePattern pattern = LikePattern.parse(like.pattern(), like.escape());
        ValueTest test = new ValueTest.Text(pattern);
        Optional<FieldIndex> field = field(like.column());
        if (field.isEmpty()) {
            return scan(like.column(), test, candidates);
        }
        if (like.column().index() == IndexKind.KEYWORD) {
            return byTerms(like.column(), field.get(), pattern.prefix(), pattern, test, candidates);
        }
        FixedBitSet rows = candidates.clone();
        for (byte[] token : pattern.wholeTokens()) {
            narrow(like.column(), field.get(), token, rows);
        }
        return scan(like.column(), test, rows);
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

    /** The candidates whose value is null, or is not null if {@code wanted} is false. */
    private FixedBitSet nulls(Column column, boolean wanted, FixedBitSet candidates) throws IOException {
        if (!file.contains(column)) {
            return wanted ? candidates : new FixedBitSet(length);
        }
        FixedBitSet found = new FixedBitSet(length);
        FixedBitSet rest = candidates.clone();
        if (column.type() != ColumnType.MAP) {
            ColumnPages pages = file.pages(column);
            forEachPage(pages, candidates, page -> {
                boolean none = column.required() || options.useStatistics() && pages.hasNoNulls(page);
                if (none || options.useStatistics() && pages.hasOnlyNulls(page)) {
                    int low = Math.max(0, pages.firstRow(page) - from);
                    int high = Math.min(length, pages.endRow(page) - from);
                    if (none != wanted) {
                        FixedBitSet.orRange(candidates, low, found, low, high - low);
                    }
                    rest.clear(low, high);
                }
            });
        }
        scanValues(column, rest, (vector, first, low, high) -> {
            for (int at = next(rest, low, high); at >= 0; at = next(rest, at + 1, high)) {
                if (vector.isNull(from + at - first) == wanted) {
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

    /** Receives a page that holds rows asked for: its values, its first row, and the part of the window it covers. */
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

    private void scanValues(Column column, FixedBitSet candidates, PageVisitor visitor) throws IOException {
        ColumnPages pages = file.pages(column);
        if (length > 0) {
            metrics.columnBlocksConsidered.add(pages.pageOf(from + length - 1) - (long) pages.pageOf(from) + 1);
        }
        PageBatches batches = new PageBatches(pages);
        forEachPage(pages, candidates, batches::add);
        for (int[] batch : batches.all()) {
            List<Vector> vectors = file.read(column, batch, metrics);
            for (int i = 0; i < batch.length; i++) {
                int first = pages.firstRow(batch[i]);
                int low = Math.max(0, first - from);
                int high = Math.min(length, pages.endRow(batch[i]) - from);
                visitor.visit(vectors.get(i), first, low, high);
            }
        }
    }
}
