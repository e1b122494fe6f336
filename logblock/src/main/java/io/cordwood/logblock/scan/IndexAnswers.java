package io.cordwood.logblock.scan;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.index.FieldIndex;
import io.cordwood.logblock.index.IndexReader;
import io.cordwood.logblock.match.MatchNode;
import io.cordwood.logblock.match.ValueMatcher;
import io.cordwood.logblock.parquet.ColumnPages;
import io.cordwood.logblock.parquet.ParquetFile;
import io.cordwood.logblock.predicate.LikePattern;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.ValueTest;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.IndexKind;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.util.FixedBitSet;

/**
 * The index's answers to conditions on single columns, for all rows of a window. Each condition is looked up once, for
 * one scan and its parts. Thread-safe; a thread that needs an answer which another thread is looking up waits for it.
 */
final class IndexAnswers {
    /** The maximum number of terms to walk; beyond it, walking a dictionary costs more than reading the values. */
    private static final int MAX_TERMS_WALKED = 1 << 16;

    private final ParquetFile file;
    private final IndexReader index;
    private final RowRange window;
    private final Map<Condition, Optional<IndexAnswer>> known = new HashMap<>();

    /** @param leaf a phrase, or a predicate on one column */
    private record Condition(int fieldId, Object leaf) {}

    IndexAnswers(ParquetFile file, IndexReader index, RowRange window) {
        this.file = file;
        this.index = index;
        this.window = window;
    }

    private interface Lookup {
        Optional<IndexAnswer> in(FieldIndex field) throws IOException;
    }

    private synchronized Optional<IndexAnswer> known(Column column, Object leaf, Lookup lookup) throws IOException {
        Condition condition = new Condition(column.fieldId(), leaf);
        Optional<IndexAnswer> answer = known.get(condition);
        if (answer == null) {
            Optional<FieldIndex> field = column.index() == IndexKind.NONE ? Optional.empty() : index.field(column);
            answer = field.isPresent() ? lookup.in(field.get()) : Optional.empty();
            known.put(condition, answer);
        }
        return answer;
    }

    /** The answer; empty if the column has no index, or none that helps. */
    Optional<IndexAnswer> of(Column column, MatchNode.Phrase phrase) throws IOException {
        return known(
                column,
                phrase,
                field -> column.index() == IndexKind.KEYWORD
                        ? terms(field, new byte[0], phrase::matchesKeyword)
                        : Optional.of(tokens(column, field, phrase)));
    }

    /** The answer; empty if the column has no index, or none that helps. */
    Optional<IndexAnswer> of(Predicate.In in) throws IOException {
        if (in.column().index() != IndexKind.KEYWORD) {
            return Optional.empty();
        }
        return known(
                in.column(),
                in,
                field -> in.ranges().stream().allMatch(Predicate.ValueRange::isSingleValue)
                        ? Optional.of(anyOf(in, field))
                        : terms(field, new byte[0], ((ValueTest.Text) ValueTest.of(in)).matcher()));
    }

    /** The answer; empty if the column has no index, or none that helps. */
    Optional<IndexAnswer> of(Predicate.Like like, LikePattern pattern) throws IOException {
        return known(
                like.column(),
                like,
                field -> like.column().index() == IndexKind.KEYWORD
                        ? terms(field, pattern.prefix(), pattern)
                        : Optional.of(IndexAnswer.unsure(all(like.column(), field, pattern.wholeTokens()))));
    }

    private IndexAnswer tokens(Column column, FieldIndex field, MatchNode.Phrase phrase) throws IOException {
        List<byte[]> tokens = phrase.tokens();
        if (tokens.size() > 1) {
            int whole = phrase.prefix() ? tokens.size() - 1 : tokens.size();
            return IndexAnswer.unsure(all(column, field, tokens.subList(0, whole)));
        }
        if (phrase.prefix()) {
            return walked(field, tokens.getFirst(), (utf8, from, to) -> true);
        }
        FixedBitSet sure = none();
        FixedBitSet possible = none();
        if (add(column, field, tokens.getFirst(), sure, possible)) {
            return IndexAnswer.sure(sure);
        }
        possible.andNot(sure);
        return sure.scanIsEmpty() ? IndexAnswer.unsure(possible) : IndexAnswer.of(sure, possible);
    }

    /** The rows that may contain all tokens. */
    private FixedBitSet all(Column column, FieldIndex field, List<byte[]> tokens) throws IOException {
        FixedBitSet rows = without(none());
        for (byte[] token : tokens) {
            FixedBitSet found = none();
            add(column, field, token, found, found);
            rows.and(found);
            if (rows.scanIsEmpty()) {
                break;
            }
        }
        return rows;
    }

    /**
     * Adds rows with a term to {@code sure}, and those that may have it to {@code possible}; returns whether all are
     * sure.
     */
    private boolean add(Column column, FieldIndex field, byte[] term, FixedBitSet sure, FixedBitSet possible)
            throws IOException {
        if (field.addRows(term, window.from(), sure)) {
            return true;
        }
        ColumnPages pages = file.pages(column);
        for (int page : field.blocksOfRare(term)) {
            int low = Math.max(0, pages.firstRow(page) - window.from());
            int high = Math.min(window.length(), pages.endRow(page) - window.from());
            if (low < high) {
                possible.set(low, high);
            }
        }
        return false;
    }

    /** The rows whose whole value matches, found by walking the dictionary. */
    private Optional<IndexAnswer> terms(FieldIndex field, byte[] prefix, ValueMatcher matcher) throws IOException {
        if (field.termCount() > MAX_TERMS_WALKED && prefix.length == 0) {
            return Optional.empty();
        }
        return Optional.of(walked(field, prefix, matcher));
    }

    /** Walks the dictionary. Rare terms are not in it, so any other row may contain a matching one. */
    private IndexAnswer walked(FieldIndex field, byte[] prefix, ValueMatcher matcher) throws IOException {
        FixedBitSet found = none();
        field.addRows(prefix, matcher, window.from(), found);
        return field.rareCount() == 0 ? IndexAnswer.sure(found) : IndexAnswer.of(found, without(found));
    }

    private IndexAnswer anyOf(Predicate.In in, FieldIndex field) throws IOException {
        FixedBitSet sure = none();
        FixedBitSet possible = none();
        for (Predicate.ValueRange range : in.ranges()) {
            byte[] term = ((String) range.low().orElseThrow()).getBytes(UTF_8);
            add(in.column(), field, term, sure, possible);
        }
        possible.andNot(sure);
        return IndexAnswer.of(sure, possible);
    }

    private FixedBitSet none() {
        return new FixedBitSet(window.length());
    }

    private FixedBitSet without(FixedBitSet rows) {
        FixedBitSet others = none();
        others.set(0, window.length());
        others.andNot(rows);
        return others;
    }
}
