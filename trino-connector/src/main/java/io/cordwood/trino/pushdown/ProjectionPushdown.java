package io.cordwood.trino.pushdown;

import static io.trino.spi.type.BooleanType.BOOLEAN;

import io.cordwood.query.predicate.SerializedPredicate;
import io.cordwood.query.scan.TimeBin;
import io.cordwood.trino.config.CordwoodSessionProperties;
import io.cordwood.trino.handle.CordwoodColumnHandle;
import io.cordwood.trino.handle.PredicateColumnHandle;
import io.cordwood.trino.handle.TimeBinColumnHandle;
import io.trino.spi.connector.Assignment;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
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
 * Pushes expressions of a SELECT list into the scan, each as a column that the page source computes: {@code match} on
 * columns, since only the connector knows the keyword columns, and the {@link TimeBins} of histograms, since it finds
 * bins without reading times. Not thread-safe.
 */
public final class ProjectionPushdown {
    private final ExpressionPredicates predicates;
    private final Optional<TimeBins> timeBins;
    private final Map<String, ColumnHandle> assignments;
    private final Map<String, Assignment> used = new LinkedHashMap<>();

    private ProjectionPushdown(Map<String, ColumnHandle> assignments, Optional<TimeBins> timeBins) {
        this.timeBins = timeBins;
        this.predicates = new ExpressionPredicates(assignments);
        this.assignments = assignments;
    }

    public static Optional<ProjectionApplicationResult<ConnectorTableHandle>> apply(
            ConnectorSession session,
            ConnectorTableHandle table,
            List<ConnectorExpression> projections,
            Map<String, ColumnHandle> assignments) {
        Optional<TimeBins> timeBins = CordwoodSessionProperties.pushAggregation(session)
                ? Optional.of(new TimeBins(assignments, session.getTimeZoneKey()))
                : Optional.empty();
        ProjectionPushdown pushdown = new ProjectionPushdown(assignments, timeBins);
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
            CordwoodColumnHandle column = new PredicateColumnHandle(
                    new SerializedPredicate(predicates.convert(expression).orElseThrow()));
            used.put(column.name(), new Assignment(column.name(), column, BOOLEAN));
            return new Variable(column.name(), BOOLEAN);
        }
        Optional<TimeBin> bin = timeBins.flatMap(bins -> bins.convert(expression));
        if (bin.isPresent()) {
            CordwoodColumnHandle column = new TimeBinColumnHandle(bin.get());
            used.put(column.name(), new Assignment(column.name(), column, column.type()));
            return new Variable(column.name(), column.type());
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
