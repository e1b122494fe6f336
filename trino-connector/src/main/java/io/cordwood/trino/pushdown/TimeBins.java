package io.cordwood.trino.pushdown;

import static io.trino.spi.expression.StandardFunctions.DIVIDE_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.MULTIPLY_FUNCTION_NAME;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MICROS;

import io.airlift.slice.Slice;
import io.cordwood.query.scan.TimeBin;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.trino.handle.TableColumnHandle;
import io.cordwood.trino.type.SqlTypes;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.FunctionName;
import io.trino.spi.expression.Variable;
import io.trino.spi.type.TimeZoneKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Recognises the expressions of {@code ts} that are {@link TimeBin}s. Immutable. */
final class TimeBins {
    private static final FunctionName DATE_TRUNC = new FunctionName("date_trunc");
    private static final FunctionName DATE_BIN = new FunctionName("date_bin");
    private static final FunctionName FROM_UNIXTIME = new FunctionName("from_unixtime");
    private static final FunctionName TO_UNIXTIME = new FunctionName("to_unixtime");
    private static final FunctionName FLOOR = new FunctionName("floor");

    private final Map<String, ColumnHandle> assignments;
    private final TimeZoneKey sessionZone;

    /**
     * @param assignments the columns of the expressions' variables
     * @param sessionZone the zone of the values of {@code from_unixtime}
     */
    TimeBins(Map<String, ColumnHandle> assignments, TimeZoneKey sessionZone) {
        this.assignments = assignments;
        this.sessionZone = sessionZone;
    }

    /** Converts an expression to a time bin; empty if it is not a bin, or if the engine may fail on it. */
    Optional<TimeBin> convert(ConnectorExpression expression) {
        if (!(expression instanceof Call call)) {
            return Optional.empty();
        }
        Optional<TimeBin> bin = Optional.empty();
        List<ConnectorExpression> arguments = call.getArguments();
        if (is(call, DATE_TRUNC, 2) && isTime(arguments.get(1))) {
            bin = unit(arguments.get(0)).map(TimeBin.Trunc::new);
        } else if (is(call, DATE_BIN, 2) && isTime(arguments.get(1))) {
            bin = interval(arguments.get(0)).map(TimeBin.Bin::new);
        } else if (is(call, FROM_UNIXTIME, 1)) {
            bin = flooredSeconds(arguments.getFirst())
                    .map(seconds -> new TimeBin.UnixTime(seconds, sessionZone.getId()));
        }
        return bin.filter(found -> SqlTypes.type(found).equals(call.getType()));
    }

    private boolean isTime(ConnectorExpression expression) {
        return expression instanceof Variable variable
                && variable.getType().equals(TIMESTAMP_TZ_MICROS)
                && assignments.get(variable.getName()) instanceof TableColumnHandle column
                && column.column().equals(QueryColumn.TS);
    }

    private static Optional<TimeBin.Unit> unit(ConnectorExpression expression) {
        return expression instanceof Constant constant && constant.getValue() instanceof Slice name
                ? TimeBin.Unit.of(name.toStringUtf8())
                : Optional.empty();
    }

    private static Optional<Long> interval(ConnectorExpression expression) {
        return expression instanceof Constant constant && constant.getValue() instanceof Long millis && millis > 0
                ? Optional.of(millis)
                : Optional.empty();
    }

    /** The seconds in {@code floor(to_unixtime(ts) / seconds) * seconds}. */
    private Optional<Double> flooredSeconds(ConnectorExpression expression) {
        if (!(expression instanceof Call product) || !is(product, MULTIPLY_FUNCTION_NAME, 2)) {
            return Optional.empty();
        }
        Optional<Double> seconds = number(product.getArguments().get(1));
        return product.getArguments().get(0) instanceof Call floor
                        && is(floor, FLOOR, 1)
                        && floor.getArguments().getFirst() instanceof Call quotient
                        && is(quotient, DIVIDE_FUNCTION_NAME, 2)
                        && number(quotient.getArguments().get(1)).equals(seconds)
                        && quotient.getArguments().get(0) instanceof Call unixTime
                        && is(unixTime, TO_UNIXTIME, 1)
                        && isTime(unixTime.getArguments().getFirst())
                ? seconds.filter(TimeBin.UnixTime::isSupported)
                : Optional.empty();
    }

    private static Optional<Double> number(ConnectorExpression expression) {
        return expression instanceof Constant constant
                        && constant.getType().equals(DOUBLE)
                        && constant.getValue() instanceof Double value
                ? Optional.of(value)
                : Optional.empty();
    }

    private static boolean is(Call call, FunctionName name, int arguments) {
        return call.getFunctionName().equals(name) && call.getArguments().size() == arguments;
    }
}
