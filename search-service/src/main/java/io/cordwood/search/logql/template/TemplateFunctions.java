package io.cordwood.search.logql.template;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;
import java.util.function.LongBinaryOperator;

/** The functions of templates, by name: those of numbers and conditions, and those of {@link TextFunctions}. */
final class TemplateFunctions {
    private static final int ANY = Integer.MAX_VALUE;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final Map<String, TemplateFunction> BY_NAME = new HashMap<>();

    static {
        TextFunctions.all().forEach(function -> BY_NAME.put(function.name(), function));
        whole("add", ANY, Math::addExact);
        whole("sub", 2, Math::subtractExact);
        whole("mul", ANY, Math::multiplyExact);
        whole("div", 2, (left, right) -> left / nonZero(right));
        whole("mod", 2, (left, right) -> left % nonZero(right));
        whole("max", ANY, Math::max);
        whole("min", ANY, Math::min);
        fraction("addf", ANY, Double::sum);
        fraction("subf", ANY, (left, right) -> left - right);
        fraction("mulf", ANY, (left, right) -> left * right);
        fraction("divf", ANY, (left, right) -> left / right);
        fraction("maxf", ANY, Math::max);
        fraction("minf", ANY, Math::min);
        put(
                "floor",
                1,
                1,
                values -> new Value.Fraction(Math.floor(values.getFirst().number())));
        put(
                "ceil",
                1,
                1,
                values -> new Value.Fraction(Math.ceil(values.getFirst().number())));
        put("round", 2, 3, TemplateFunctions::round);
        put("int", 1, 1, values -> new Value.Whole(values.getFirst().whole()));
        put("float64", 1, 1, values -> new Value.Fraction(values.getFirst().number()));
        put(
                "eq",
                2,
                ANY,
                values -> flag(values.stream()
                        .skip(1)
                        .anyMatch(value -> value.text().equals(values.getFirst().text()))));
        put(
                "ne",
                2,
                2,
                values -> flag(!values.get(0).text().equals(values.get(1).text())));
        put("lt", 2, 2, values -> flag(compare(values) < 0));
        put("le", 2, 2, values -> flag(compare(values) <= 0));
        put("gt", 2, 2, values -> flag(compare(values) > 0));
        put("ge", 2, 2, values -> flag(compare(values) >= 0));
        put("not", 1, 1, values -> flag(!values.getFirst().isTrue()));
        put(
                "and",
                1,
                ANY,
                values -> values.stream()
                        .filter(value -> !value.isTrue())
                        .findFirst()
                        .orElse(values.getLast()));
        put(
                "or",
                1,
                ANY,
                values -> values.stream().filter(Value::isTrue).findFirst().orElse(values.getLast()));
        put("default", 2, 2, values -> values.get(values.get(1).isTrue() ? 1 : 0));
        put(
                "unixEpoch",
                1,
                1,
                values -> new Value.Text(
                        Long.toString(Math.floorDiv(values.getFirst().whole(), NANOS_PER_SECOND))));
        put(
                "unixEpochMillis",
                1,
                1,
                values -> new Value.Text(
                        Long.toString(Math.floorDiv(values.getFirst().whole(), NANOS_PER_MILLI))));
        put(
                "unixEpochNanos",
                1,
                1,
                values -> new Value.Text(Long.toString(values.getFirst().whole())));
    }

    private TemplateFunctions() {}

    static Optional<TemplateFunction> named(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    private static void put(String name, int least, int most, Function<List<Value>, Value> body) {
        BY_NAME.put(name, new TemplateFunction(name, least, most, body));
    }

    private static void whole(String name, int most, LongBinaryOperator operator) {
        put(name, 2, most, values -> {
            try {
                return new Value.Whole(
                        values.stream().mapToLong(Value::whole).reduce(operator).orElseThrow());
            } catch (ArithmeticException e) {
                throw new TemplateException("'%s': %s".formatted(name, e.getMessage()));
            }
        });
    }

    private static void fraction(String name, int most, DoubleBinaryOperator operator) {
        put(
                name,
                2,
                most,
                values -> new Value.Fraction(values.stream()
                        .mapToDouble(Value::number)
                        .reduce(operator)
                        .orElseThrow()));
    }

    private static long nonZero(long divisor) {
        if (divisor == 0) {
            throw new ArithmeticException("division by zero");
        }
        return divisor;
    }

    private static Value round(List<Value> values) {
        double factor = Math.pow(10, values.get(1).number());
        return new Value.Fraction(Math.round(values.get(0).number() * factor) / factor);
    }

    /** Numbers by size; texts by their characters. */
    private static int compare(List<Value> values) {
        boolean areTexts = values.get(0) instanceof Value.Text && values.get(1) instanceof Value.Text;
        return areTexts
                ? values.get(0).text().compareTo(values.get(1).text())
                : Double.compare(values.get(0).number(), values.get(1).number());
    }

    private static Value flag(boolean isSet) {
        return new Value.Flag(isSet);
    }
}
