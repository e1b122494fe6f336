package io.cordwood.search.logql;

import com.google.re2j.Pattern;
import io.cordwood.search.logql.SampleExpression.VectorMatching;
import io.cordwood.search.logql.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Parses expressions by precedence climbing. Not thread-safe. */
final class QueryParser {
    /** The functions of Loki that are not supported. */
    private static final Set<String> UNSUPPORTED = Set.of("rate_counter", "approx_topk");

    private final TokenCursor tokens;
    private final StageParser stages;
    private final RangeParser ranges;

    QueryParser(String query) {
        this.tokens = new TokenCursor(query);
        this.stages = new StageParser(tokens);
        this.ranges = new RangeParser(tokens, stages);
    }

    Expression query() {
        Expression expression = expression(1);
        if (tokens.peek().kind() != Kind.END) {
            throw tokens.unexpected(expression instanceof LogQuery ? "a stage, or the end" : "an operator, or the end");
        }
        return expression;
    }

    LogQuery logQuery() {
        Token first = tokens.peek();
        if (query() instanceof LogQuery query) {
            return query;
        }
        throw tokens.error(first, "only log queries are supported here, such as {label=\"value\"}");
    }

    /** An expression whose operators bind at least as strongly as this. */
    private Expression expression(int precedence) {
        Token begin = tokens.peek();
        Expression left = operand();
        Optional<BinaryOperator> next = BinaryOperator.of(tokens.peek());
        while (next.isPresent() && next.get().precedence() >= precedence) {
            BinaryOperator operator = next.get();
            SampleExpression leftSide = sample(left, begin);
            tokens.countOperator();
            tokens.take();
            boolean returnsBool = tokens.takeWord("bool");
            if (returnsBool && !operator.isComparison()) {
                throw tokens.error(begin, "'bool' is only for comparisons");
            }
            VectorMatching matching = matching();
            Token right = tokens.peek();
            tokens.enter();
            SampleExpression rightSide =
                    sample(expression(operator.precedence() + (operator.isRightAssociative() ? 0 : 1)), right);
            tokens.leave();
            left = binary(operator, leftSide, rightSide, returnsBool, matching, begin);
            next = BinaryOperator.of(tokens.peek());
        }
        return left;
    }

    private SampleExpression binary(
            BinaryOperator operator,
            SampleExpression left,
            SampleExpression right,
            boolean returnsBool,
            VectorMatching matching,
            Token begin) {
        boolean leftIsLiteral = left instanceof SampleExpression.Literal;
        boolean rightIsLiteral = right instanceof SampleExpression.Literal;
        if (operator.isSetOperator() && (leftIsLiteral || rightIsLiteral)) {
            throw tokens.error(begin, "'%s' combines series, not numbers".formatted(operator.symbol()));
        }
        return left instanceof SampleExpression.Literal(double leftValue)
                        && right instanceof SampleExpression.Literal(double rightValue)
                ? new SampleExpression.Literal(operator.apply(leftValue, rightValue))
                : new SampleExpression.BinaryOperation(operator, left, right, returnsBool, matching);
    }

    private SampleExpression sample(Expression expression, Token begin) {
        if (expression instanceof SampleExpression sample) {
            return sample;
        }
        throw tokens.error(
                begin, "an operator needs numbers on both sides, but here is a log query: count it, for example");
    }

    private VectorMatching matching() {
        VectorMatching matching = VectorMatching.ALL;
        if (tokens.isWord("on") || tokens.isWord("ignoring")) {
            boolean on = tokens.take().isWord("on");
            matching = new VectorMatching(on, labels());
        }
        if (tokens.isWord("group_left") || tokens.isWord("group_right")) {
            throw tokens.unsupported(
                    tokens.peek(), "'%s'".formatted(tokens.peek().text()));
        }
        return matching;
    }

    /** The names of labels in parentheses. */
    private List<String> labels() {
        tokens.require("(");
        List<String> labels = new ArrayList<>();
        while (!tokens.isSymbol(")")) {
            if (!labels.isEmpty()) {
                tokens.require(",");
            }
            labels.add(tokens.label());
        }
        tokens.require(")");
        return labels;
    }

    private Expression operand() {
        Token token = tokens.peek();
        if (tokens.isSymbol("{")) {
            return stages.logQuery();
        }
        if (tokens.takeSymbol("(")) {
            tokens.enter();
            Expression inner = expression(1);
            tokens.leave();
            tokens.require(")");
            return inner;
        }
        Optional<Double> number = tokens.number();
        if (number.isPresent()) {
            return new SampleExpression.Literal(number.get());
        }
        if (token.kind() != Kind.WORD) {
            throw tokens.unexpected("a selector such as {label=\"value\"}, a function, a number or '('");
        }
        return function(tokens.take());
    }

    private SampleExpression function(Token name) {
        if (UNSUPPORTED.contains(name.text().toLowerCase(Locale.ROOT))) {
            throw tokens.unsupported(name, "'%s'".formatted(name.text()));
        }
        if (name.isWord("label_replace")) {
            return labelReplace();
        }
        if (name.isWord("vector")) {
            tokens.require("(");
            double value = tokens.number().orElseThrow(() -> tokens.unexpected("a number"));
            tokens.require(")");
            return new SampleExpression.ConstantVector(value);
        }
        Optional<RangeFunction> range = RangeFunction.of(name);
        if (range.isPresent()) {
            return ranges.aggregation(name, range.get(), this::grouping);
        }
        VectorFunction function = VectorFunction.of(name)
                .orElseThrow(() -> tokens.error(name, "there is no function '%s'".formatted(name.text())));
        return vectorAggregation(name, function);
    }

    private SampleExpression vectorAggregation(Token name, VectorFunction function) {
        Optional<Grouping> grouping = grouping();
        tokens.require("(");
        tokens.enter();
        int number = 0;
        if (function.takesNumber()) {
            Token parameter = tokens.peek();
            double value = tokens.number().orElseThrow(() -> tokens.unexpected("a number of series"));
            if (value < 1 || value > Integer.MAX_VALUE || value != Math.rint(value)) {
                throw tokens.error(parameter, "'%s' needs a positive whole number".formatted(function.text()));
            }
            number = (int) value;
            tokens.require(",");
        }
        Token begin = tokens.peek();
        SampleExpression of = sample(expression(1), begin);
        tokens.leave();
        tokens.require(")");
        if (grouping.isEmpty()) {
            grouping = grouping();
        }
        if (grouping.isPresent() && !function.takesGrouping()) {
            throw tokens.error(name, "'%s' takes no grouping".formatted(function.text()));
        }
        return new SampleExpression.VectorAggregation(function, number, of, grouping.orElse(Grouping.ALL));
    }

    private Optional<Grouping> grouping() {
        boolean by = tokens.isWord("by");
        if (!by && !tokens.isWord("without")) {
            return Optional.empty();
        }
        tokens.take();
        return Optional.of(new Grouping(!by, labels()));
    }

    private SampleExpression labelReplace() {
        tokens.require("(");
        tokens.enter();
        Token begin = tokens.peek();
        SampleExpression of = sample(expression(1), begin);
        tokens.leave();
        tokens.require(",");
        Token target = tokens.require(Kind.STRING, "the name of a label in quotes");
        if (!target.text().matches("[a-zA-Z_][a-zA-Z0-9_]*")) {
            throw tokens.error(target, "'%s' is no name of a label".formatted(target.text()));
        }
        tokens.require(",");
        String replacement = tokens.string();
        tokens.require(",");
        String source = tokens.string();
        tokens.require(",");
        Pattern pattern = tokens.pattern(tokens.require(Kind.STRING, "a regular expression in quotes"), Pattern.DOTALL);
        tokens.require(")");
        return new SampleExpression.LabelReplace(of, target.text(), replacement, source, pattern);
    }
}
