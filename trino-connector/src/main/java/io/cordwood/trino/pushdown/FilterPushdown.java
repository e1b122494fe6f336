package io.cordwood.trino.pushdown;

import static io.trino.spi.expression.StandardFunctions.AND_FUNCTION_NAME;
import static io.trino.spi.type.BooleanType.BOOLEAN;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.query.predicate.SerializedPredicate;
import io.cordwood.trino.handle.CordwoodColumnHandle;
import io.cordwood.trino.handle.CordwoodTableHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.Constraint;
import io.trino.spi.connector.ConstraintApplicationResult;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.predicate.TupleDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Pushes conditions of a query into the scan, each fully or not at all. Stateless. */
public final class FilterPushdown {
    private FilterPushdown() {}

    public static Optional<ConstraintApplicationResult<ConnectorTableHandle>> apply(
            CordwoodTableHandle table, Constraint constraint) {
        if (table.groups().isPresent()) {
            return Optional.empty();
        }
        ExpressionPredicates predicates = new ExpressionPredicates(constraint.getAssignments());
        if (table.isCombined()) {
            return aboveExactRows(table, constraint, predicates);
        }
        TupleDomain<ColumnHandle> supported = constraint
                .getSummary()
                .filter((column, domain) -> DomainPredicates.isSupported((CordwoodColumnHandle) column, domain));
        TupleDomain<ColumnHandle> unsupported = constraint
                .getSummary()
                .filter((column, domain) -> !DomainPredicates.isSupported((CordwoodColumnHandle) column, domain));
        TupleDomain<ColumnHandle> domain = table.domain().intersect(supported);

        List<SerializedPredicate> conjuncts = new ArrayList<>(table.conjuncts());
        List<ConnectorExpression> terms = conjuncts(constraint.getExpression());
        List<ConnectorExpression> remaining = new ArrayList<>();
        for (ConnectorExpression term : terms) {
            Optional<Predicate> predicate = predicates.convert(term);
            if (predicate.isPresent()) {
                SerializedPredicate conjunct = new SerializedPredicate(predicate.get());
                if (!conjuncts.contains(conjunct)) {
                    conjuncts.add(conjunct);
                }
            } else {
                remaining.add(predicates.withKeywordMatches(term));
            }
        }
        // Terms are compared, because the engine nests conjunctions in ways of its own, and would ask without end
        if (domain.equals(table.domain()) && conjuncts.equals(table.conjuncts()) && remaining.equals(terms)) {
            return Optional.empty();
        }
        return Optional.of(new ConstraintApplicationResult<>(
                table.withFilter(domain, conjuncts), unsupported, conjunction(remaining), false));
    }

    /**
     * Keeps conditions on already selected rows above the scan, and rewrites {@code match} on keyword columns, which
     * only the connector knows.
     */
    private static Optional<ConstraintApplicationResult<ConnectorTableHandle>> aboveExactRows(
            CordwoodTableHandle table, Constraint constraint, ExpressionPredicates predicates) {
        ConnectorExpression remaining = predicates.withKeywordMatches(constraint.getExpression());
        return remaining.equals(constraint.getExpression())
                ? Optional.empty()
                : Optional.of(new ConstraintApplicationResult<>(table, constraint.getSummary(), remaining, false));
    }

    private static List<ConnectorExpression> conjuncts(ConnectorExpression expression) {
        if (expression.equals(Constant.TRUE)) {
            return List.of();
        }
        if (expression instanceof Call call && call.getFunctionName().equals(AND_FUNCTION_NAME)) {
            return call.getArguments().stream()
                    .flatMap(argument -> conjuncts(argument).stream())
                    .toList();
        }
        return List.of(expression);
    }

    private static ConnectorExpression conjunction(List<ConnectorExpression> terms) {
        return switch (terms.size()) {
            case 0 -> Constant.TRUE;
            case 1 -> terms.getFirst();
            default -> new Call(BOOLEAN, AND_FUNCTION_NAME, terms);
        };
    }
}
