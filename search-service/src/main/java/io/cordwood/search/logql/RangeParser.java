package io.cordwood.search.logql;

import io.cordwood.search.logql.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/** Parses functions of the lines within a range. Not thread-safe. */
final class RangeParser {
    private final TokenCursor tokens;
    private final StageParser stages;

    RangeParser(TokenCursor tokens, StageParser stages) {
        this.tokens = tokens;
        this.stages = stages;
    }

    /** The lines, and the range that may stand before or behind the stages. */
    private final class Lines {
        private List<LabelMatcher> selector = List.of();
        private final List<Stage> steps = new ArrayList<>();
        private Optional<Unwrap> unwrap = Optional.empty();
        private Optional<Long> range = Optional.empty();
        private Optional<Long> offset = Optional.empty();

        void read() {
            if (tokens.takeSymbol("(")) {
                tokens.enter();
                read();
                tokens.leave();
                tokens.require(")");
            } else {
                selector = stages.selector();
                readRange();
                while (stages.isNext()) {
                    readStage();
                }
            }
            readRange();
        }

        private void readStage() {
            if (tokens.isSymbol("|") && tokens.peekSecond().isWord("unwrap")) {
                tokens.take();
                tokens.take();
                unwrap = Optional.of(unwrap());
                return;
            }
            if (unwrap.isPresent()) {
                Token stage = tokens.peek();
                if (!(stages.stage() instanceof Stage.LabelFilter(LabelCondition condition))) {
                    throw tokens.error(stage, "only label filters may follow 'unwrap'");
                }
                List<LabelCondition> conditions = new ArrayList<>(unwrap.get().conditions());
                conditions.add(condition);
                unwrap = Optional.of(
                        new Unwrap(unwrap.get().label(), unwrap.get().conversion(), conditions));
            } else {
                steps.add(stages.stage());
            }
        }

        private void readRange() {
            Optional<Token> token = range.isEmpty() ? tokens.takeKind(Kind.RANGE) : Optional.empty();
            if (token.isPresent()) {
                range = Optional.of((long) token.get().value());
            }
            if (range.isPresent() && offset.isEmpty() && tokens.takeWord("offset")) {
                boolean negative = tokens.takeSymbol("-");
                long nanos = (long)
                        tokens.require(Kind.DURATION, "a duration such as 5m").value();
                offset = Optional.of(negative ? -nanos : nanos);
            }
        }
    }

    private Unwrap unwrap() {
        String label = tokens.label();
        if (!tokens.isSymbol("(")) {
            return new Unwrap(label, Unwrap.Conversion.NUMBER, List.of());
        }
        Unwrap.Conversion conversion = switch (label) {
            case "duration", "duration_seconds" -> Unwrap.Conversion.DURATION;
            case "bytes" -> Unwrap.Conversion.BYTES;
            default -> throw tokens.unexpected("a stage; conversions are duration() and bytes()");
        };
        tokens.require("(");
        label = tokens.label();
        tokens.require(")");
        return new Unwrap(label, conversion, List.of());
    }

    /** Parses a function whose name has been taken. */
    SampleExpression aggregation(Token name, RangeFunction function, Supplier<Optional<Grouping>> grouping) {
        tokens.require("(");
        OptionalDouble parameter = OptionalDouble.empty();
        if (function == RangeFunction.QUANTILE_OVER_TIME) {
            parameter =
                    OptionalDouble.of(tokens.number().orElseThrow(() -> tokens.unexpected("a quantile such as 0.99")));
            tokens.require(",");
        }
        Token begin = tokens.peek();
        Lines lines = new Lines();
        lines.read();
        long range = lines.range.orElseThrow(() -> tokens.unexpected("a range such as [5m]"));
        tokens.require(")");
        Optional<Grouping> by = grouping.get();
        if (function.needsUnwrap() && lines.unwrap.isEmpty()) {
            throw tokens.error(begin, "'%s' needs '| unwrap' with a label that is a number".formatted(name.text()));
        }
        if (!function.takesUnwrap() && lines.unwrap.isPresent()) {
            throw tokens.error(begin, "'%s' is a function of lines: remove 'unwrap'".formatted(name.text()));
        }
        if (by.isPresent() && !function.takesGrouping()) {
            throw tokens.error(name, "'%s' takes no grouping: use sum by".formatted(name.text()));
        }
        return new SampleExpression.RangeAggregation(
                function,
                parameter,
                new LogQuery(lines.selector, lines.steps),
                lines.unwrap,
                range,
                lines.offset.orElse(0L),
                by);
    }
}
