package io.cordwood.standalone.tail;

import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.query.scan.Timestamps;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The format for people: time, level if present, message, then all other members as {@code key=value}. Stateless.
 *
 * <p>Control characters are escaped, so that each row is one line and no log line can control the terminal.
 */
public final class TextFormat implements RowFormat {
    private static final String LEVEL = "level";
    private static final String MESSAGE = "message";

    @Override
    public void append(TailRow row, StringBuilder line) {
        append(Timestamps.text(row.micros()), row.members(), line);
    }

    /**
     * Appends a row that came from elsewhere.
     *
     * @param time its time, as text
     * @param members its other members, in the order in which they are shown
     */
    public static void append(String time, Map<String, Object> members, StringBuilder line) {
        Map<String, Object> others = new LinkedHashMap<>(members);
        others.remove(LogBlockSchema.TENANT_ID);
        line.append(time);
        appendBare(others.remove(LEVEL), line);
        appendBare(others.remove(MESSAGE), line);
        others.forEach((name, value) -> {
            line.append(' ');
            appendWord(name, line);
            line.append('=');
            appendWord(value.toString(), line);
        });
        line.append('\n');
    }

    /** A text in which control characters are escaped. */
    public static String printable(String text) {
        StringBuilder printable = new StringBuilder();
        appendPrintable(text, printable);
        return printable.toString();
    }

    private static void appendBare(Object value, StringBuilder line) {
        if (value != null) {
            line.append(' ');
            appendPrintable(value.toString(), line);
        }
    }

    private static void appendWord(String word, StringBuilder line) {
        if (!word.isEmpty() && word.chars().noneMatch(c -> c == ' ' || c == '"' || c == '=' || c == '\\')) {
            appendPrintable(word, line);
            return;
        }
        line.append('"');
        appendPrintable(word.replace("\\", "\\\\").replace("\"", "\\\""), line);
        line.append('"');
    }

    private static void appendPrintable(String text, StringBuilder line) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append("\\t");
                default -> {
                    if (Character.isISOControl(c)) {
                        line.append("\\u%04x".formatted((int) c));
                    } else {
                        line.append(c);
                    }
                }
            }
        }
    }
}
