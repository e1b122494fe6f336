package io.cordwood.search.logql.template;

import java.util.List;

/** A part of a template. Immutable. */
sealed interface Node {
    /** Text as it is. */
    record Literal(String text) implements Node {}

    /** The value of an operand. */
    record Output(Operand operand) implements Node {}

    /**
     * The first branch whose condition holds.
     *
     * @param otherwise what is written if none does
     */
    record Choice(List<Branch> branches, List<Node> otherwise) implements Node {
        public Choice {
            branches = List.copyOf(branches);
            otherwise = List.copyOf(otherwise);
        }
    }

    record Branch(Operand condition, List<Node> then) {
        public Branch {
            then = List.copyOf(then);
        }
    }

    /** What has a value. */
    sealed interface Operand {
        record Constant(Value value) implements Operand {}

        record Label(String name) implements Operand {}

        record Line() implements Operand {}

        record Timestamp() implements Operand {}

        record Call(TemplateFunction function, List<Operand> arguments) implements Operand {
            public Call {
                arguments = List.copyOf(arguments);
            }
        }
    }
}
