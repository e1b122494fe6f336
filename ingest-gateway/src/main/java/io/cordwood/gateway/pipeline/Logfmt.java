package io.cordwood.gateway.pipeline;

import java.util.LinkedHashMap;
import java.util.Map;

/** Parses pairs of {@code name=value} that blanks separate; a value may be within double quotes. Stateless. */
final class Logfmt {
    private static final int MAX_PAIRS = 500;

    private Logfmt() {}

    /** The pairs in their order; words without a value are left out. Of equal names the first counts. */
    static Map<String, String> parse(String text) {
        Map<String, String> pairs = new LinkedHashMap<>();
        int at = 0;
        while (at < text.length() && pairs.size() < MAX_PAIRS) {
            int name = at;
            while (at < text.length() && text.charAt(at) > ' ' && text.charAt(at) != '=') {
                at++;
            }
            if (at == text.length() || text.charAt(at) != '=' || at == name) {
                at++;
                continue;
            }
            StringBuilder value = new StringBuilder();
            int end = value(text, at + 1, value);
            pairs.putIfAbsent(text.substring(name, at), value.toString());
            at = end + 1;
        }
        return pairs;
    }

    /** Appends the value that begins here, and returns its end. */
    private static int value(String text, int from, StringBuilder value) {
        int at = from;
        if (at == text.length() || text.charAt(at) != '"') {
            while (at < text.length() && text.charAt(at) > ' ') {
                at++;
            }
            value.append(text, from, at);
            return at;
        }
        at++;
        while (at < text.length() && text.charAt(at) != '"') {
            char c = text.charAt(at++);
            if (c == '\\' && at < text.length()) {
                c = text.charAt(at++);
                value.append(
                        switch (c) {
                            case 'n' -> '\n';
                            case 't' -> '\t';
                            case 'r' -> '\r';
                            default -> c;
                        });
            } else {
                value.append(c);
            }
        }
        return at;
    }
}
