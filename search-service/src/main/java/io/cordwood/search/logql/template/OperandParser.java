package io.cordwood.search.logql.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parses the operands between the braces of an action. Not thread-safe. */
final class OperandParser {
    private static final int MAX_DEPTH = 50;

    private final ActionScanner action;
    private int depth;

    OperandParser(ActionScanner action) {
        this.action = action;
    }

    /** The operand that fills the action. */
    Node.Operand all() {
        Node.Operand operand = pipeline();
        action.requireEnd();
        return operand;
    }

    /** Commands, each of which gets the value of the one before as its last argument. */
    private Node.Operand pipeline() {
        depth++;
        if (depth > MAX_DEPTH) {
            throw new TemplateException("parentheses are nested more than %d levels deep".formatted(MAX_DEPTH));
        }
        Node.Operand value = command(Optional.empty());
        int stages = 0;
        while (action.take("|")) {
            stages++;
            if (stages > MAX_DEPTH) {
                throw new TemplateException("there are more than %d '|'".formatted(MAX_DEPTH));
            }
            value = command(Optional.of(value));
        }
        depth--;
        return value;
    }

    private Node.Operand command(Optional<Node.Operand> last) {
        Optional<String> word = action.takeName();
        if (word.isEmpty() || isConstant(word.get())) {
            if (last.isPresent()) {
                throw new TemplateException("a function must follow '|'");
            }
            return word.map(OperandParser::constant).orElseGet(this::operand);
        }
        List<Node.Operand> arguments = new ArrayList<>();
        while (!action.isEnd() && !action.is("|") && !action.is(")")) {
            Optional<String> name = action.takeName();
            arguments.add(name.map(this::withoutArguments).orElseGet(this::operand));
        }
        last.ifPresent(arguments::add);
        return call(word.get(), arguments);
    }

    private Node.Operand withoutArguments(String name) {
        return isConstant(name) ? constant(name) : call(name, List.of());
    }

    private static boolean isConstant(String name) {
        return name.equals("true") || name.equals("false");
    }

    private static Node.Operand constant(String name) {
        return new Node.Operand.Constant(new Value.Flag(name.equals("true")));
    }

    private static Node.Operand call(String name, List<Node.Operand> arguments) {
        if (arguments.isEmpty() && name.equals("__line__")) {
            return new Node.Operand.Line();
        }
        if (arguments.isEmpty() && name.equals("__timestamp__")) {
            return new Node.Operand.Timestamp();
        }
        TemplateFunction function = TemplateFunctions.named(name)
                .orElseThrow(() -> new TemplateException("the function '%s' is not supported".formatted(name)));
        if (arguments.size() < function.least() || arguments.size() > function.most()) {
            throw new TemplateException("'%s' takes %s, not %d"
                    .formatted(
                            name,
                            function.least() == function.most()
                                    ? "%d arguments".formatted(function.least())
                                    : "at least %d arguments".formatted(function.least()),
                            arguments.size()));
        }
        return !arguments.isEmpty() && arguments.getFirst() instanceof Node.Operand.Constant(Value first)
                ? new Node.Operand.Call(function.withFirst(first), arguments)
                : new Node.Operand.Call(function, arguments);
    }

    private Node.Operand operand() {
        if (action.take("(")) {
            Node.Operand inner = pipeline();
            if (!action.take(")")) {
                throw new TemplateException("'(' without ')'");
            }
            return inner;
        }
        return action.takeLabel()
                .<Node.Operand>map(Node.Operand.Label::new)
                .or(() -> action.takeConstant().map(Node.Operand.Constant::new))
                .orElseThrow(() -> new TemplateException("'%s' is not supported".formatted(action.rest())));
    }
}
