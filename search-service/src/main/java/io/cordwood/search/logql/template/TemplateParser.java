package io.cordwood.search.logql.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parses templates. Not thread-safe. */
final class TemplateParser {
    private static final String OPEN = "{{";
    private static final String CLOSE = "}}";
    private static final int MAX_DEPTH = 50;

    private final String text;
    private int at;
    private int depth;

    TemplateParser(String text) {
        this.text = text;
    }

    List<Node> template() {
        List<Node> nodes = new ArrayList<>();
        Optional<ActionScanner> end = nodes(nodes);
        if (end.isPresent()) {
            throw new TemplateException(
                    "'{{%s}}' without '{{if}}'".formatted(end.get().rest()));
        }
        return nodes;
    }

    /** Parses to the next {@code else} or {@code end}, which is returned, or to the end of the template. */
    private Optional<ActionScanner> nodes(List<Node> nodes) {
        while (at < text.length()) {
            int open = text.indexOf(OPEN, at);
            int end = open < 0 ? text.length() : open;
            boolean trimsLeft = text.startsWith("{{- ", end);
            String literal = text.substring(at, end);
            literal = trimsLeft ? literal.stripTrailing() : literal;
            if (!literal.isEmpty()) {
                nodes.add(new Node.Literal(literal));
            }
            at = end;
            if (open >= 0) {
                ActionScanner action = action(trimsLeft);
                if (action.isWord("else") || action.isWord("end")) {
                    return Optional.of(action);
                }
                if (!action.isComment()) {
                    nodes.add(node(action));
                }
            }
        }
        return Optional.empty();
    }

    private ActionScanner action(boolean trimsLeft) {
        int begin = at + OPEN.length() + (trimsLeft ? 1 : 0);
        int close = ActionScanner.end(text, begin);
        if (close < 0) {
            throw new TemplateException("'{{' without '}}'");
        }
        String inside = text.substring(begin, close);
        at = close + CLOSE.length();
        if (inside.endsWith(" -")) {
            inside = inside.substring(0, inside.length() - 1);
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
        }
        return new ActionScanner(inside);
    }

    private Node node(ActionScanner action) {
        if (action.takeWord("if")) {
            return choice(action);
        }
        for (String keyword : List.of("range", "with", "define", "template", "block", "break", "continue")) {
            if (action.isWord(keyword)) {
                throw new TemplateException("'%s' is not supported".formatted(keyword));
            }
        }
        return new Node.Output(new OperandParser(action).all());
    }

    private Node choice(ActionScanner condition) {
        depth++;
        if (depth > MAX_DEPTH) {
            throw new TemplateException("'{{if}}' is nested more than %d levels deep".formatted(MAX_DEPTH));
        }
        List<Node.Branch> branches = new ArrayList<>();
        Node.Operand when = new OperandParser(condition).all();
        List<Node> otherwise = new ArrayList<>();
        while (true) {
            List<Node> then = new ArrayList<>();
            ActionScanner end = required(nodes(then));
            branches.add(new Node.Branch(when, then));
            if (end.takeWord("else")) {
                if (end.takeWord("if")) {
                    when = new OperandParser(end).all();
                    continue;
                }
                end.requireEnd();
                end = required(nodes(otherwise));
            }
            if (!end.takeWord("end")) {
                throw new TemplateException("'{{else}}' twice");
            }
            end.requireEnd();
            depth--;
            return new Node.Choice(branches, otherwise);
        }
    }

    private static ActionScanner required(Optional<ActionScanner> end) {
        return end.orElseThrow(() -> new TemplateException("'{{if}}' without '{{end}}'"));
    }
}
