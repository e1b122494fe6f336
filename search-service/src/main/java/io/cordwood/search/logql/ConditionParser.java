package io.cordwood.search.logql;

import com.google.re2j.Pattern;
import io.cordwood.search.logql.LabelCondition.Unit;
import io.cordwood.search.logql.Token.Kind;
import java.util.Optional;

/** Parses conditions on labels. Not thread-safe. */
final class ConditionParser {
    private final TokenCursor tokens;

    ConditionParser(TokenCursor tokens) {
        this.tokens = tokens;
    }

    /** Conditions with {@code and}, a comma or nothing between them bind more strongly than those with {@code or}. */
    LabelCondition condition() {
        LabelCondition left = conjunction();
        while (tokens.takeWord("or")) {
            tokens.countOperator();
            left = new LabelCondition.Or(left, conjunction());
        }
        return left;
    }

    private LabelCondition conjunction() {
        LabelCondition left = operand();
        while (tokens.takeWord("and") || tokens.takeSymbol(",") || isOperand()) {
            tokens.countOperator();
            left = new LabelCondition.And(left, operand());
        }
        return left;
    }

    private boolean isOperand() {
        Token next = tokens.peek();
        return next.isSymbol("(")
                || (next.kind() == Kind.WORD
                        && (Comparison.of(tokens.peekSecond()).isPresent()
                                || LabelMatcher.Operator.of(tokens.peekSecond()).isPresent()));
    }

    private LabelCondition operand() {
        if (tokens.takeSymbol("(")) {
            tokens.enter();
            LabelCondition inner = condition();
            tokens.leave();
            tokens.require(")");
            return inner;
        }
        String label = tokens.label();
        Optional<LabelMatcher> matcher = matcher(label);
        if (matcher.isPresent()) {
            return new LabelCondition.Text(matcher.get());
        }
        Token symbol = tokens.peek();
        Comparison comparison =
                Comparison.of(symbol).orElseThrow(() -> tokens.unexpected("one of = != =~ !~ > >= < <= =="));
        tokens.take();
        if (tokens.isWord("ip")) {
            throw tokens.unsupported(tokens.peek(), "'ip'");
        }
        Optional<Token> quantity = tokens.takeKind(Kind.DURATION).or(() -> tokens.takeKind(Kind.BYTES));
        if (quantity.isPresent()) {
            Unit unit = quantity.get().kind() == Kind.DURATION ? Unit.DURATION : Unit.BYTES;
            return new LabelCondition.Quantity(
                    label, unit, comparison, quantity.get().value());
        }
        double number = tokens.number().orElseThrow(() -> tokens.unexpected("a number, a duration or a size"));
        return new LabelCondition.Quantity(label, Unit.NUMBER, comparison, number);
    }

    /** Takes the operator and the string of a matcher, if they are next. */
    Optional<LabelMatcher> matcher(String label) {
        Optional<LabelMatcher.Operator> operator = LabelMatcher.Operator.of(tokens.peek());
        if (operator.isEmpty() || tokens.peekSecond().kind() != Kind.STRING) {
            return Optional.empty();
        }
        tokens.take();
        Token value = tokens.take();
        // All of a value, which may have several lines
        Optional<Pattern> pattern =
                operator.get().takesPattern() ? Optional.of(tokens.pattern(value, Pattern.DOTALL)) : Optional.empty();
        return Optional.of(new LabelMatcher(label, operator.get(), value.text(), pattern));
    }

    /** Takes the operator and the string of a matcher. */
    LabelMatcher requiredMatcher(String label) {
        Optional<LabelMatcher> matcher = matcher(label);
        if (matcher.isEmpty()) {
            if (LabelMatcher.Operator.of(tokens.peek()).isEmpty()) {
                throw tokens.unexpected("one of = != =~ !~");
            }
            tokens.take();
            throw tokens.unexpected("a string in quotes");
        }
        return matcher.get();
    }
}
