package io.cordwood.record.decode;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Arbitrary values of records. */
final class Records {
    private Records() {}

    /** JSON objects of few names, so that names and types collide, and of every kind of value. */
    public static Arbitrary<String> objects() {
        return object(2);
    }

    private static Arbitrary<String> object(int depth) {
        return Combinators.combine(name(), value(depth))
                .as((name, value) -> "\"" + name + "\":" + value)
                .list()
                .ofMaxSize(8)
                .map(members -> "{" + String.join(",", members) + "}");
    }

    private static Arbitrary<String> name() {
        return Arbitraries.frequencyOf(
                Tuple.of(
                        12,
                        Arbitraries.of(
                                "a",
                                "A",
                                "b",
                                "c",
                                "d.e",
                                "a.double",
                                "ts",
                                "time",
                                "TS",
                                "tenant_id",
                                "_x",
                                "$y",
                                "",
                                "message",
                                "level",
                                "a\\u0062",
                                "\\ud800",
                                "attributes.q",
                                "ts_original")),
                Tuple.of(1, Arbitraries.strings().alpha().ofMaxLength(3)));
    }

    private static Arbitrary<String> value(int depth) {
        List<Arbitrary<String>> scalars = List.of(
                Arbitraries.of("null", "true", "false", "NaN", "-Infinity", "0", "-0", "1e400", "\"\"", "{}", "[]"),
                Arbitraries.longs().map(String::valueOf),
                Arbitraries.bigIntegers().map(String::valueOf),
                Arbitraries.doubles().map(String::valueOf),
                Arbitraries.of(
                        "\"2026-11-20T08:00:00Z\"", "\"2030-01-01 00:00:00,5\"", "1795168800", "1795168800123.5"),
                Arbitraries.of("GET", "POST", "x", "ä€😀", "\\ud800", "\\n").map(text -> "\"" + text + "\""),
                Arbitraries.strings().ofMaxLength(20).map(Records::quoted));
        Arbitrary<String> scalar = Arbitraries.oneOf(scalars);
        if (depth == 0) {
            return scalar;
        }
        return Arbitraries.frequencyOf(
                Tuple.of(8, scalar),
                Tuple.of(1, Arbitraries.lazy(() -> object(depth - 1))),
                Tuple.of(
                        1,
                        Arbitraries.lazy(() -> value(depth - 1)
                                .list()
                                .ofMaxSize(3)
                                .map(values -> "[" + String.join(", ", values) + "]"))));
    }

    private static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\' || c < ' ' || Character.isSurrogate(c)) {
                json.append("\\u%04x".formatted((int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }
}
