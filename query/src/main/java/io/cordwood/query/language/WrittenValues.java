package io.cordwood.query.language;

import io.cordwood.query.language.SearchValue.Part;
import java.util.List;
import java.util.stream.Collectors;

/** Writes values for messages, much as the user wrote them. Stateless. */
final class WrittenValues {
    private static final int MAX_LENGTH = 60;

    private WrittenValues() {}

    static String of(SearchValue value) {
        return shortened(
                switch (value) {
                    case SearchValue.Exact(String text) -> text;
                    case SearchValue.Prefix(String text) -> text + "*";
                    case SearchValue.Any() -> "*";
                    case SearchValue.Pattern(List<Part> parts) ->
                        parts.stream().map(WrittenValues::of).collect(Collectors.joining());
                    case SearchValue.Range range -> of(range);
                });
    }

    private static String of(Part part) {
        return switch (part) {
            case Part.Literal(String text) -> text;
            case Part.AnyOne() -> "?";
            case Part.AnyRun() -> "*";
        };
    }

    private static String of(SearchValue.Range range) {
        if (range.low().isPresent() && range.high().isEmpty()) {
            return (range.lowInclusive() ? ">=" : ">") + range.low().get();
        }
        if (range.high().isPresent() && range.low().isEmpty()) {
            return (range.highInclusive() ? "<=" : "<") + range.high().get();
        }
        return "%s%s TO %s%s"
                .formatted(
                        range.lowInclusive() ? "[" : "{",
                        range.low().orElse("*"),
                        range.high().orElse("*"),
                        range.highInclusive() ? "]" : "}");
    }

    /** The beginning of a long text. */
    static String shortened(String text) {
        return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "...";
    }
}
