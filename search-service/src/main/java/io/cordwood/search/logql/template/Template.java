package io.cordwood.search.logql.template;

import java.util.List;

/** A parsed template. Immutable. */
public final class Template {
    /** A value that a template makes must not fill the memory. */
    static final int MAX_LENGTH = 1 << 20;

    private final List<Node> nodes;

    private Template(List<Node> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    /** Parses a template. @throws TemplateException if it is malformed or not supported */
    public static Template parse(String text) {
        return new Template(new TemplateParser(text).template());
    }

    /** The text that it makes of a line. @throws TemplateException if a function fails */
    public String apply(TemplateContext context) {
        StringBuilder out = new StringBuilder();
        write(nodes, context, out);
        return out.toString();
    }

    private static void write(List<Node> nodes, TemplateContext context, StringBuilder out) {
        for (Node node : nodes) {
            switch (node) {
                case Node.Literal(String text) -> out.append(text);
                case Node.Output(Node.Operand operand) ->
                    out.append(value(operand, context).text());
                case Node.Choice choice -> write(chosen(choice, context), context, out);
            }
            if (out.length() > MAX_LENGTH) {
                throw new TemplateException("the result is longer than %,d characters".formatted(MAX_LENGTH));
            }
        }
    }

    private static List<Node> chosen(Node.Choice choice, TemplateContext context) {
        return choice.branches().stream()
                .filter(branch -> value(branch.condition(), context).isTrue())
                .findFirst()
                .map(Node.Branch::then)
                .orElse(choice.otherwise());
    }

    private static Value value(Node.Operand operand, TemplateContext context) {
        return switch (operand) {
            case Node.Operand.Constant(Value value) -> value;
            case Node.Operand.Label(String name) -> new Value.Text(context.label(name));
            case Node.Operand.Line() -> new Value.Text(context.line());
            case Node.Operand.Timestamp() -> new Value.Whole(context.nanos());
            case Node.Operand.Call(TemplateFunction function, List<Node.Operand> arguments) ->
                function.apply(arguments.stream()
                        .map(argument -> value(argument, context))
                        .toList());
        };
    }
}
