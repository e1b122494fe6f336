package io.cordwood.search.logql;

import com.google.re2j.Pattern;
import io.cordwood.search.logql.Token.Kind;
import io.cordwood.search.logql.template.Template;
import io.cordwood.search.logql.template.TemplateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Parses selectors and stages. Not thread-safe. */
final class StageParser {
    private static final Set<String> LINE_FILTERS = Set.of("|=", "!=", "|~", "!~", "|>", "!>");

    private final TokenCursor tokens;
    private final ConditionParser conditions;

    StageParser(TokenCursor tokens) {
        this.tokens = tokens;
        this.conditions = new ConditionParser(tokens);
    }

    LogQuery logQuery() {
        List<LabelMatcher> selector = selector();
        List<Stage> stages = new ArrayList<>();
        while (isNext()) {
            if (tokens.isSymbol("|") && tokens.peekSecond().isWord("unwrap")) {
                throw tokens.error(tokens.peekSecond(), "'unwrap' is only for functions such as sum_over_time");
            }
            stages.add(stage());
        }
        return new LogQuery(selector, stages);
    }

    List<LabelMatcher> selector() {
        tokens.require("{");
        List<LabelMatcher> matchers = new ArrayList<>();
        while (!tokens.isSymbol("}")) {
            if (!matchers.isEmpty()) {
                tokens.require(",");
            }
            String label = tokens.label();
            matchers.add(conditions.requiredMatcher(label));
        }
        tokens.require("}");
        return matchers;
    }

    /** Whether a stage is next. */
    boolean isNext() {
        return tokens.isSymbol("|") || isLineFilter();
    }

    private boolean isLineFilter() {
        return tokens.peek().kind() == Kind.SYMBOL
                && LINE_FILTERS.contains(tokens.peek().text())
                && (tokens.peekSecond().kind() == Kind.STRING
                        || tokens.peekSecond().isWord("ip")
                        || tokens.peek().text().startsWith("|"));
    }

    Stage stage() {
        tokens.countStage();
        if (isLineFilter()) {
            return lineFilter();
        }
        tokens.require("|");
        Token name = tokens.peek();
        if (tokens.isSymbol("(") || Comparison.of(tokens.peekSecond()).isPresent() || isMatcher(tokens.peekSecond())) {
            return new Stage.LabelFilter(conditions.condition());
        }
        tokens.require(Kind.WORD, "a parser, a formatter or a condition on a label");
        return switch (name.text().toLowerCase(Locale.ROOT)) {
            case "json" -> new Stage.Json(extractions(true));
            case "logfmt" -> logfmt();
            case "regexp" -> regexp();
            case "pattern" -> capture();
            case "unpack" -> new Stage.Unpack();
            case "line_format" -> new Stage.LineFormat(template());
            case "label_format" -> new Stage.LabelFormat(assignments());
            case "drop" -> new Stage.Drop(choices());
            case "keep" -> new Stage.Keep(choices());
            case "decolorize" -> new Stage.Decolorize();
            default -> throw tokens.error(name, "there is no stage '%s'".formatted(name.text()));
        };
    }

    private static boolean isMatcher(Token token) {
        return LabelMatcher.Operator.of(token).isPresent();
    }

    private Stage lineFilter() {
        String operator = tokens.take().text();
        List<LineMatch> alternatives = new ArrayList<>();
        do {
            alternatives.add(lineMatch(operator));
        } while (tokens.takeWord("or"));
        return new Stage.LineFilter(operator.startsWith("!"), alternatives);
    }

    private LineMatch lineMatch(String operator) {
        if (tokens.isWord("ip")) {
            throw tokens.unsupported(tokens.peek(), "'ip'");
        }
        Token string = tokens.require(Kind.STRING, "a string in quotes");
        return switch (operator.charAt(1)) {
            case '=' -> new LineMatch.Text(string.text());
            case '~' -> new LineMatch.Regex(tokens.pattern(string, 0));
            default -> new LineMatch.Shape(shape(string));
        };
    }

    private LinePattern shape(Token string) {
        LinePattern pattern = linePattern(string);
        if (pattern.hasNames()) {
            throw tokens.error(string, "a line filter captures nothing: use <_>");
        }
        return pattern;
    }

    private LinePattern linePattern(Token string) {
        try {
            return LinePattern.of(string.text());
        } catch (IllegalArgumentException e) {
            throw tokens.error(string, "the pattern is malformed: " + e.getMessage());
        }
    }

    private Stage logfmt() {
        boolean strict = false;
        boolean keepEmpty = false;
        for (Optional<Token> flag = tokens.takeKind(Kind.FLAG); flag.isPresent(); flag = tokens.takeKind(Kind.FLAG)) {
            switch (flag.get().text()) {
                case "--strict" -> strict = true;
                case "--keep-empty" -> keepEmpty = true;
                default ->
                    throw tokens.error(
                            flag.get(),
                            "logfmt has no flag '%s'".formatted(flag.get().text()));
            }
        }
        return new Stage.Logfmt(strict, keepEmpty, extractions(false));
    }

    private List<Stage.Extraction> extractions(boolean isJson) {
        List<Stage.Extraction> fields = new ArrayList<>();
        if (tokens.peek().kind() != Kind.WORD
                || BinaryOperator.of(tokens.peek()).isPresent()
                || tokens.isWord("offset")) {
            return fields;
        }
        do {
            Token label = tokens.require(Kind.WORD, "the name of a label");
            if (tokens.takeSymbol("=")) {
                Token path = tokens.require(Kind.STRING, "a field in quotes");
                fields.add(new Stage.Extraction(label.text(), isJson ? jsonPath(path) : List.of(path.text())));
            } else {
                fields.add(new Stage.Extraction(label.text(), List.of(label.text())));
            }
        } while (tokens.takeSymbol(","));
        return fields;
    }

    private List<String> jsonPath(Token path) {
        return JsonPath.parse(path.text())
                .orElseThrow(() -> tokens.error(path, "the path is malformed: write it like a.b[0][\"c\"]"));
    }

    private Stage regexp() {
        Token string = tokens.require(Kind.STRING, "a regular expression in quotes");
        Pattern pattern = tokens.pattern(string, 0);
        if (pattern.namedGroups().isEmpty()) {
            throw tokens.error(string, "'regexp' needs a named group, such as (?P<name>...)");
        }
        return new Stage.Regexp(pattern);
    }

    private Stage capture() {
        Token string = tokens.require(Kind.STRING, "a pattern in quotes");
        LinePattern pattern = linePattern(string);
        if (!pattern.hasNames()) {
            throw tokens.error(string, "'pattern' needs a named capture, such as <name>");
        }
        if (pattern.repeatsName()) {
            throw tokens.error(string, "the pattern has a capture twice");
        }
        return new Stage.Capture(pattern);
    }

    private Template template() {
        Token string = tokens.require(Kind.STRING, "a template in quotes");
        try {
            return Template.parse(string.text());
        } catch (TemplateException e) {
            throw tokens.error(string, "the template cannot be used: " + e.getMessage());
        }
    }

    private List<Stage.Assignment> assignments() {
        List<Stage.Assignment> assignments = new ArrayList<>();
        do {
            Token label = tokens.require(Kind.WORD, "the name of a label");
            tokens.require("=");
            if (assignments.stream().anyMatch(other -> other.label().equals(label.text()))) {
                throw tokens.error(label, "'label_format' sets '%s' twice".formatted(label.text()));
            }
            assignments.add(
                    tokens.peek().kind() == Kind.WORD
                            ? new Stage.Assignment.Rename(label.text(), tokens.label())
                            : new Stage.Assignment.Format(label.text(), template()));
        } while (tokens.takeSymbol(","));
        return assignments;
    }

    private List<Stage.LabelChoice> choices() {
        List<Stage.LabelChoice> choices = new ArrayList<>();
        do {
            String label = tokens.label();
            choices.add(new Stage.LabelChoice(label, conditions.matcher(label)));
        } while (tokens.takeSymbol(","));
        return choices;
    }
}
