package io.cordwood.trino.pushdown;

import static io.trino.spi.expression.StandardFunctions.AND_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.ARRAY_CONSTRUCTOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.BETWEEN_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.GREATER_THAN_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IN_PREDICATE_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IS_NULL_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LESS_THAN_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LIKE_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.NOT_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.NOT_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.OR_FUNCTION_NAME;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.airlift.slice.Slice;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.Predicate.ValueRange;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.query.predicate.PredicateJson;
import io.cordwood.query.predicate.SerializedPredicate;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.trino.function.MatchQueries;
import io.cordwood.trino.handle.CordwoodColumnHandle;
import io.cordwood.trino.handle.PredicateColumnHandle;
import io.cordwood.trino.handle.TableColumnHandle;
import io.cordwood.trino.type.SqlTypes;
import io.cordwood.trino.type.SqlValues;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.FunctionName;
import io.trino.spi.expression.Variable;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.VarcharType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Converts the engine's expressions to predicates on SQL columns, if both mean the same for every value, null and NaN
 * included. Immutable.
 */
final class ExpressionPredicates {
    private static final FunctionName MATCH = new FunctionName("match");
    private static final FunctionName MATCH_KEYWORD = new FunctionName("match_keyword");
    private static final FunctionName STARTS_WITH = new FunctionName("starts_with");
    private static final char LIKE_ESCAPE = '\\';

    private final Map<String, ColumnHandle> assignments;

    /** @param assignments the columns of the expressions' variables */
    ExpressionPredicates(Map<String, ColumnHandle> assignments) {
        this.assignments = assignments;
    }

    /** Converts an expression; empty if it has no exact equivalent. */
    Optional<Predicate> convert(ConnectorExpression expression) {
        return switch (expression) {
            case Constant constant
            when constant.getValue() instanceof Boolean value -> Optional.of(value ? Predicate.TRUE : Predicate.FALSE);
            case Variable variable when variable.getType().equals(BooleanType.BOOLEAN) -> convertFlag(variable);
            case Call call -> convert(call);
            default -> Optional.empty();
        };
    }

    private Optional<Predicate> convertFlag(Variable variable) {
        return handle(variable) instanceof PredicateColumnHandle(SerializedPredicate predicate)
                ? Optional.of(predicate.predicate())
                : column(variable).map(column -> new Predicate.In(column, List.of(ValueRange.equal(true))));
    }

    private Optional<Predicate> convert(Call call) {
        FunctionName function = call.getFunctionName();
        List<ConnectorExpression> arguments = call.getArguments();
        if (function.equals(AND_FUNCTION_NAME)) {
            return convertAll(arguments).map(Predicate.And::new);
        }
        if (function.equals(OR_FUNCTION_NAME)) {
            return convertAll(arguments).map(Predicate.Or::new);
        }
        if (function.equals(NOT_FUNCTION_NAME)) {
            return convert(arguments.getFirst()).map(Predicate.Not::new);
        }
        if (function.equals(IS_NULL_FUNCTION_NAME)) {
            return column(arguments.getFirst()).map(Predicate.IsNull::new);
        }
        if (function.equals(MATCH)) {
            return convertMatch(arguments);
        }
        if (function.equals(LIKE_FUNCTION_NAME)) {
            return convertLike(arguments);
        }
        if (function.equals(STARTS_WITH)) {
            return convertStartsWith(arguments);
        }
        if (function.equals(IN_PREDICATE_FUNCTION_NAME)) {
            return convertIn(arguments);
        }
        if (function.equals(BETWEEN_FUNCTION_NAME)) {
            return convertBetween(arguments);
        }
        return arguments.size() == 2 ? convertComparison(function, arguments) : Optional.empty();
    }

    private Optional<List<Predicate>> convertAll(List<ConnectorExpression> expressions) {
        List<Predicate> terms = new ArrayList<>(expressions.size());
        for (ConnectorExpression expression : expressions) {
            Optional<Predicate> term = convert(expression);
            if (term.isEmpty()) {
                return Optional.empty();
            }
            terms.add(term.get());
        }
        return Optional.of(terms);
    }

    private Optional<Predicate> convertMatch(List<ConnectorExpression> arguments) {
        Optional<Column> column = column(arguments.get(0)).filter(found -> found.type() == ColumnType.VARCHAR);
        Optional<String> query = text(arguments.get(1));
        return column.isEmpty() || query.isEmpty()
                ? Optional.empty()
                : Optional.of(new Predicate.Match(column.get(), MatchQueries.parse(query.get())));
    }

    private Optional<Predicate> convertLike(List<ConnectorExpression> arguments) {
        Optional<Column> column = column(arguments.get(0)).filter(found -> found.type() == ColumnType.VARCHAR);
        Optional<String> pattern = text(arguments.get(1));
        if (column.isEmpty() || pattern.isEmpty()) {
            return Optional.empty();
        }
        if (arguments.size() == 2) {
            return Optional.of(new Predicate.Like(column.get(), pattern.get(), Optional.empty()));
        }
        return text(arguments.get(2))
                .filter(escape -> escape.length() == 1 && isWellEscaped(pattern.get(), escape.charAt(0)))
                .map(escape -> new Predicate.Like(column.get(), pattern.get(), Optional.of(escape.charAt(0))));
    }

    /** Whether the engine would accept the pattern; a malformed one is left to the engine. */
    private static boolean isWellEscaped(String pattern, char escape) {
        for (int i = 0; i < pattern.length(); i++) {
            if (pattern.charAt(i) == escape) {
                i++;
                if (i == pattern.length() || ("%_".indexOf(pattern.charAt(i)) < 0 && pattern.charAt(i) != escape)) {
                    return false;
                }
            }
        }
        return true;
    }

    private Optional<Predicate> convertStartsWith(List<ConnectorExpression> arguments) {
        Optional<Column> column = column(arguments.get(0)).filter(found -> found.type() == ColumnType.VARCHAR);
        Optional<String> prefix = text(arguments.get(1));
        return column.isEmpty() || prefix.isEmpty()
                ? Optional.empty()
                : Optional.of(new Predicate.Like(
                        column.get(), prefix.get().replaceAll("[\\\\%_]", "\\\\$0") + "%", Optional.of(LIKE_ESCAPE)));
    }

    private Optional<Predicate> convertIn(List<ConnectorExpression> arguments) {
        Optional<Column> column = column(arguments.get(0));
        if (column.isEmpty()
                || !(arguments.get(1) instanceof Call list)
                || !list.getFunctionName().equals(ARRAY_CONSTRUCTOR_FUNCTION_NAME)) {
            return Optional.empty();
        }
        List<Object> values = new ArrayList<>();
        for (ConnectorExpression element : list.getArguments()) {
            Optional<Object> value = value(column.get(), element);
            if (value.isEmpty()) {
                return Optional.empty();
            }
            values.add(value.get());
        }
        return Optional.of(new Predicate.In(column.get(), points(values)));
    }

    /** The values as ranges, sorted and disjoint as a predicate requires. */
    private static List<ValueRange> points(List<Object> values) {
        return values.stream()
                .filter(value -> !value.equals(Double.NaN))
                .sorted(ExpressionPredicates::compare)
                .distinct()
                .map(ValueRange::equal)
                .toList();
    }

    private static int compare(Object left, Object right) {
        return switch (left) {
            case Long number -> number.compareTo((Long) right);
            case Double number -> number.compareTo((Double) right);
            case Boolean flag -> flag.compareTo((Boolean) right);
            case String text -> compareUtf8(text, (String) right);
            default -> throw new IllegalArgumentException("Not a value of a predicate: " + left);
        };
    }

    private static int compareUtf8(String left, String right) {
        return Arrays.compareUnsigned(left.getBytes(UTF_8), right.getBytes(UTF_8));
    }

    private Optional<Predicate> convertBetween(List<ConnectorExpression> arguments) {
        Optional<Column> column = column(arguments.get(0));
        Optional<Object> low = column.flatMap(found -> value(found, arguments.get(1)));
        Optional<Object> high = column.flatMap(found -> value(found, arguments.get(2)));
        if (low.isEmpty()
                || high.isEmpty()
                || low.get().equals(Double.NaN)
                || high.get().equals(Double.NaN)) {
            return Optional.empty();
        }
        return Optional.of(new Predicate.And(List.of(
                in(column.get(), range(low.get(), true, null, false)),
                in(column.get(), range(null, false, high.get(), true)))));
    }

    private Optional<Predicate> convertComparison(FunctionName function, List<ConnectorExpression> arguments) {
        Optional<Column> left = column(arguments.get(0));
        if (left.isPresent()) {
            return value(left.get(), arguments.get(1)).flatMap(value -> compare(left.get(), function, value));
        }
        Optional<Column> right = column(arguments.get(1));
        return right.flatMap(column -> value(column, arguments.get(0)))
                .flatMap(value -> compare(right.get(), mirrored(function), value));
    }

    private static Optional<Predicate> compare(Column column, FunctionName operator, Object value) {
        if (value.equals(Double.NaN)) {
            // Left to the engine, which defines the equality of NaN
            return Optional.empty();
        }
        if (operator.equals(EQUAL_OPERATOR_FUNCTION_NAME)) {
            return Optional.of(in(column, ValueRange.equal(value)));
        }
        if (operator.equals(NOT_EQUAL_OPERATOR_FUNCTION_NAME)) {
            return Optional.of(new Predicate.Not(in(column, ValueRange.equal(value))));
        }
        if (operator.equals(LESS_THAN_OPERATOR_FUNCTION_NAME)) {
            return Optional.of(in(column, range(null, false, value, false)));
        }
        if (operator.equals(LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME)) {
            return Optional.of(in(column, range(null, false, value, true)));
        }
        if (operator.equals(GREATER_THAN_OPERATOR_FUNCTION_NAME)) {
            return Optional.of(in(column, range(value, false, null, false)));
        }
        if (operator.equals(GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME)) {
            return Optional.of(in(column, range(value, true, null, false)));
        }
        return Optional.empty();
    }

    private static FunctionName mirrored(FunctionName operator) {
        if (operator.equals(LESS_THAN_OPERATOR_FUNCTION_NAME)) {
            return GREATER_THAN_OPERATOR_FUNCTION_NAME;
        }
        if (operator.equals(LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME)) {
            return GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME;
        }
        if (operator.equals(GREATER_THAN_OPERATOR_FUNCTION_NAME)) {
            return LESS_THAN_OPERATOR_FUNCTION_NAME;
        }
        if (operator.equals(GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME)) {
            return LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME;
        }
        return operator;
    }

    private static Predicate in(Column column, ValueRange range) {
        return new Predicate.In(column, List.of(range));
    }

    private static ValueRange range(Object low, boolean lowInclusive, Object high, boolean highInclusive) {
        return new ValueRange(Optional.ofNullable(low), lowInclusive, Optional.ofNullable(high), highInclusive);
    }

    /**
     * Rewrites {@code match} on keyword columns to the function that treats the value as one token, for expressions
     * that stay with the engine.
     */
    ConnectorExpression withKeywordMatches(ConnectorExpression expression) {
        if (!(expression instanceof Call call)) {
            return expression;
        }
        List<ConnectorExpression> arguments =
                call.getArguments().stream().map(this::withKeywordMatches).toList();
        return withKeywordMatch(new Call(call.getType(), call.getFunctionName(), arguments));
    }

    /** Rewrites the call alone, without its arguments. */
    Call withKeywordMatch(Call call) {
        return call.getFunctionName().equals(MATCH)
                        && isKeyword(call.getArguments().getFirst())
                ? new Call(call.getType(), MATCH_KEYWORD, call.getArguments())
                : call;
    }

    private boolean isKeyword(ConnectorExpression expression) {
        return expression instanceof Variable variable
                && handle(variable) instanceof TableColumnHandle(QueryColumn column)
                && column.index() == IndexKind.KEYWORD;
    }

    /** Whether the expression is a {@code match} that {@link #convert} converts. */
    boolean isMatchOnColumn(ConnectorExpression expression) {
        return expression instanceof Call call
                && call.getFunctionName().equals(MATCH)
                && convert(call).isPresent();
    }

    private CordwoodColumnHandle handle(Variable variable) {
        return (CordwoodColumnHandle) assignments.get(variable.getName());
    }

    private Optional<Column> column(ConnectorExpression expression) {
        if (!(expression instanceof Variable variable)) {
            return Optional.empty();
        }
        CordwoodColumnHandle handle = handle(variable);
        return handle.isComparable()
                ? Optional.of(PredicateJson.unbound(handle.name(), SqlTypes.columnType(handle.type())))
                : Optional.empty();
    }

    private static Optional<String> text(ConnectorExpression expression) {
        return expression instanceof Constant constant
                        && constant.getType() instanceof VarcharType
                        && constant.getValue() instanceof Slice text
                ? Optional.of(text.toStringUtf8())
                : Optional.empty();
    }

    private static Optional<Object> value(Column column, ConnectorExpression expression) {
        return expression instanceof Constant constant
                        && constant.getValue() != null
                        && column.type() != ColumnType.MAP
                        && (constant.getType().equals(SqlTypes.type(column.type()))
                                || (constant.getType() instanceof VarcharType && column.type() == ColumnType.VARCHAR))
                ? Optional.of(SqlValues.toPredicateValue(column.type(), constant.getValue()))
                : Optional.empty();
    }
}
