package io.cordwood.query.binding;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.schema.Column;
import io.cordwood.query.predicate.Predicates;
import java.util.List;

/**
 * Rewrites predicates on SQL columns as weaker predicates on the stored columns of one table, which are true wherever
 * the originals are. A term without an equivalent becomes true. Stateless.
 */
public final class StoredPredicates {
    private StoredPredicates() {}

    public static Predicate of(List<Predicate> conjuncts, TableBinding binding) {
        return Predicates.and(conjuncts.stream().map(term -> of(term, binding)).toList());
    }

    private static Predicate of(Predicate predicate, TableBinding binding) {
        return switch (predicate) {
            case Predicate.And(List<Predicate> terms) -> of(terms, binding);
            case Predicate.Or(List<Predicate> terms) ->
                Predicates.or(terms.stream().map(term -> of(term, binding)).toList());
            case Predicate.Match(Column column, var query) -> leaf(predicate, column, binding);
            case Predicate.Like(Column column, var pattern, var escape) -> leaf(predicate, column, binding);
            case Predicate.In(Column column, var ranges) -> leaf(predicate, column, binding);
            case Predicate.Not _, Predicate.IsNull _ -> Predicate.TRUE;
        };
    }

    private static Predicate leaf(Predicate leaf, Column column, TableBinding binding) {
        List<Column> sources = binding.sources(column.name());
        return sources.size() == 1 && sources.getFirst().type() == column.type()
                ? Predicates.on(sources.getFirst(), leaf)
                : Predicate.TRUE;
    }
}
