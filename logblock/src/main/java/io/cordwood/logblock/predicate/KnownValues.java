package io.cordwood.logblock.predicate;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.match.MatchNode;
import io.cordwood.logblock.match.Tokenizer;
import io.cordwood.logblock.predicate.Predicate.ValueRange;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import java.util.List;

/**
 * Knowledge about the values of some rows without reading them. It may prove that no row satisfies a condition.
 * Implementations answer for single columns; this interface combines the answers.
 */
public interface KnownValues {
    /**
     * The kind of known terms of a varchar column: {@link IndexKind#TEXT} for tokens, {@link IndexKind#KEYWORD} for
     * whole values, lower-cased; {@link IndexKind#NONE} if its terms are unknown.
     */
    IndexKind terms(Column column);

    /** False if no value of the column, whose terms are known, has this term. */
    boolean mayHold(Column column, byte[] term);

    /** False if no value of the column, which is not varchar, lies in the range. */
    default boolean mayHold(Column column, ValueRange range) {
        return true;
    }

    /** Whether the column is certainly null in all rows. */
    default boolean isNull(Column column) {
        return false;
    }

    /** False if certainly no row satisfies the predicate. */
    default boolean mayMatch(Predicate predicate) {
        return switch (predicate) {
            case Predicate.And(List<Predicate> conditions) ->
                conditions.stream().allMatch(this::mayMatch);
            case Predicate.Or(List<Predicate> conditions) -> conditions.stream().anyMatch(this::mayMatch);
            case Predicate.Not(Predicate.IsNull(Column column)) -> !isNull(column);
            case Predicate.Not _not -> true;
            case Predicate.IsNull _isNull -> true;
            case Predicate.Match(Column column, var query) -> !isNull(column) && mayMatch(column, query.root());
            case Predicate.In(Column column, var ranges) ->
                !isNull(column) && ranges.stream().anyMatch(range -> mayMatch(column, range));
            case Predicate.Like(Column column, var pattern, var escape) ->
                !isNull(column)
                        && (terms(column) != IndexKind.TEXT
                                || mayHoldAll(
                                        column,
                                        LikePattern.parse(pattern, escape).wholeTokens()));
        };
    }

    private boolean mayMatch(Column column, ValueRange range) {
        if (column.type() != ColumnType.VARCHAR) {
            return mayHold(column, range);
        }
        IndexKind terms = terms(column);
        if (terms == IndexKind.NONE || !range.isSingleValue()) {
            return true;
        }
        byte[] value = ((String) range.low().orElseThrow()).getBytes(UTF_8);
        return terms == IndexKind.TEXT
                ? mayHoldAll(column, LikePattern.tokens(value))
                : mayHold(column, Tokenizer.lowerCase(value, 0, value.length));
    }

    private boolean mayMatch(Column column, MatchNode node) {
        return switch (node) {
            case MatchNode.And(List<MatchNode> conditions) ->
                conditions.stream().allMatch(condition -> mayMatch(column, condition));
            case MatchNode.Or(List<MatchNode> conditions) ->
                conditions.stream().anyMatch(condition -> mayMatch(column, condition));
            case MatchNode.Not _not -> true;
            case MatchNode.Phrase phrase -> mayMatch(column, phrase);
        };
    }

    private boolean mayMatch(Column column, MatchNode.Phrase phrase) {
        IndexKind terms = terms(column);
        if (terms == IndexKind.NONE || terms != column.index()) {
            return true;
        }
        if (terms == IndexKind.KEYWORD) {
            return phrase.prefix() || mayHold(column, phrase.keyword());
        }
        List<byte[]> tokens = phrase.tokens();
        return mayHoldAll(column, phrase.prefix() ? tokens.subList(0, tokens.size() - 1) : tokens);
    }

    private boolean mayHoldAll(Column column, List<byte[]> tokens) {
        return tokens.stream().allMatch(token -> mayHold(column, token));
    }
}
