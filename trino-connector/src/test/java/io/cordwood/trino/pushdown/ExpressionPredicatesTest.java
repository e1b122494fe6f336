package io.cordwood.trino.pushdown;

import static io.trino.spi.expression.StandardFunctions.BETWEEN_FUNCTION_NAME;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.trino.handle.TableColumnHandle;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.Variable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExpressionPredicatesTest {
    private final ExpressionPredicates predicates = new ExpressionPredicates(
            Map.of("x", new TableColumnHandle(QueryColumn.stored("latency", ColumnType.DOUBLE, IndexKind.NONE))));

    @Test
    void nanIsNoBound() {
        assertThat(between(0, 1)).isPresent();
        assertThat(between(Double.NaN, 1)).isEmpty();
        assertThat(between(0, Double.NaN)).isEmpty();
    }

    private Optional<Predicate> between(double low, double high) {
        return predicates.convert(new Call(
                BOOLEAN,
                BETWEEN_FUNCTION_NAME,
                List.of(new Variable("x", DOUBLE), new Constant(low, DOUBLE), new Constant(high, DOUBLE))));
    }
}
