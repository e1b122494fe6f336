package io.cordwood.trino;

import static io.trino.spi.type.BooleanType.BOOLEAN;

import io.trino.spi.connector.Assignment;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ProjectionApplicationResult;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Variable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Takes over {@code match} on columns in a SELECT list: only the connector knows which columns are keyword columns. Each
 * call becomes a column whose values are computed by the page source. Not thread-safe.
 */
final class MatchPushdown {
    private final ExpressionPredicates predicates;
    private final Map<String, ColumnHandle> assignments;
    private final Map<String, Assignment> used = new LinkedHashMap<>();

    private MatchPushdown(Map<String, ColumnHandle> assignments) {
        this.predicates = new ExpressionPredicates(assignments);
        this.assignments = assignments;
    }

    static Optional<ProjectionApplicationResult<ConnectorTableHandle>> apply(
            ConnectorTableHandle table, List<ConnectorExpression> projections, Map<String, ColumnHandle> assignments) {
        MatchPushdown pushdown = new MatchPushdown(assignments);
        List<ConnectorExpression> rewritten =
                projections.stream().map(pushdown::rewrite).toList();
        if (rewritten.equals(projections)) {
            return Optional.empty();
        }
        return Optional.of(
                new ProjectionApplicationResult<>(table, rewritten, List.copyOf(pushdown.used.values()), false));
    }

    private ConnectorExpression rewrite(ConnectorExpression expression) {
        if (predicates.isMatchOnColumn(expression)) {
            CordwoodColumnHandle column = CordwoodColumnHandle.predicate(
                    predicates.convert(expression).orElseThrow());
            used.put(column.name(), new Assignment(column.name(), column, BOOLEAN));
            return new Variable(column.name(), BOOLEAN);
        }
        if (expression instanceof Variable variable) {
            ColumnHandle column = assignments.get(variable.getName());
            used.put(variable.getName(), new Assignment(variable.getName(), column, variable.getType()));
            return variable;
        }
        if (expression instanceof Call call) {
            List<ConnectorExpression> arguments =
                    call.getArguments().stream().map(this::rewrite).toList();
            return predicates.withKeywordMatch(new Call(call.getType(), call.getFunctionName(), arguments));
        }
        return expression;
    }
}
