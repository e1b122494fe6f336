package io.cordwood.search.logql.line;

import io.cordwood.search.logql.Stage;
import java.util.function.BiConsumer;

/** Takes labels from lines in logfmt: {@code key=value key="quoted value"}. Stateless. */
final class LogfmtFields {
    private static final String ERROR = "LogfmtParserErr";

    private LogfmtFields() {}

    static void extract(Stage.Logfmt stage, LogLine line) {
        BiConsumer<String, String> all = (key, value) -> put(stage, line, LabelNames.of(key), value);
        BiConsumer<String, String> chosen = (key, value) -> stage.fields().stream()
                .filter(field -> field.path().getFirst().equals(key))
                .forEach(field -> put(stage, line, field.label(), value));
        boolean isWellFormed = read(line.line(), stage.fields().isEmpty() ? all : chosen);
        if (!isWellFormed && stage.strict()) {
            line.fail(ERROR, "the line is not in logfmt");
        }
    }

    private static void put(Stage.Logfmt stage, LogLine line, String label, String value) {
        if (value.isEmpty() && stage.keepEmpty()) {
            line.extractEmpty(label);
        } else {
            line.extract(label, value);
        }
    }

    /** Reads pairs as far as there are some. Whether the whole line consists of them. */
    private static boolean read(String line, BiConsumer<String, String> pairs) {
        boolean isWellFormed = true;
        int at = 0;
        while (at < line.length()) {
            if (line.charAt(at) <= ' ') {
                at++;
                continue;
            }
            int key = at;
            while (at < line.length() && line.charAt(at) > ' ' && line.charAt(at) != '=' && line.charAt(at) != '"') {
                at++;
            }
            String name = line.substring(key, at);
            boolean hasValue = at < line.length() && line.charAt(at) == '=';
            isWellFormed &= !name.isEmpty() && (hasValue || at == line.length() || line.charAt(at) <= ' ');
            if (!hasValue) {
                at += name.isEmpty() || (at < line.length() && line.charAt(at) == '"') ? 1 : 0;
                if (!name.isEmpty()) {
                    pairs.accept(name, "");
                }
                continue;
            }
            StringBuilder value = new StringBuilder();
            at = value(line, at + 1, value);
            isWellFormed &= at >= 0;
            at = at < 0 ? line.length() : at;
            if (!name.isEmpty()) {
                pairs.accept(name, value.toString());
            }
        }
        return isWellFormed;
    }

    /** Reads a value, and returns the index behind it; -1 if its quotes have no end. */
    private static int value(String line, int from, StringBuilder value) {
        int at = from;
        if (at >= line.length() || line.charAt(at) != '"') {
            while (at < line.length() && line.charAt(at) > ' ') {
                at++;
            }
            value.append(line, from, at);
            return at;
        }
        at++;
        while (at < line.length() && line.charAt(at) != '"') {
            char c = line.charAt(at++);
            if (c == '\\' && at < line.length()) {
                c = unescaped(line.charAt(at++));
            }
            value.append(c);
        }
        return at < line.length() ? at + 1 : -1;
    }

    private static char unescaped(char letter) {
        return switch (letter) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            default -> letter;
        };
    }
}
