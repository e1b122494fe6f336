package io.cordwood.catalog.regex;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Compiles regular expressions of RE2, which match in linear time. One that repeats repetitions could fill the memory
 * all the same, so their size is bounded. Stateless.
 */
public final class Regex {
    /** The greatest {@link #size}: each part of an expression takes memory, and time for each text. */
    public static final long MAX_SIZE = 10_000;

    /** Groups in groups: each takes a part of the thread's stack. */
    private static final int MAX_DEPTH = 200;

    private Regex() {}

    /** Compiles an expression. @throws PatternSyntaxException if it is malformed, too large or too deep */
    public static Pattern compile(String regex, int flags) {
        if (size(regex) > MAX_SIZE) {
            throw new PatternSyntaxException("it is too large, or repeats too often", "");
        }
        return Pattern.compile(regex, flags);
    }

    /** About the number of characters of the expression with its counted repetitions written out. */
    public static long size(String regex) {
        Deque<Long> outer = new ArrayDeque<>();
        long size = 0;
        long last = 0;
        for (int i = 0; i < regex.length() && size <= MAX_SIZE; i++) {
            switch (regex.charAt(i)) {
                case '(' -> {
                    if (outer.size() >= MAX_DEPTH) {
                        throw new PatternSyntaxException(
                                "its groups are nested more than %d levels deep".formatted(MAX_DEPTH), "");
                    }
                    outer.push(size);
                    size = 0;
                    last = 0;
                }
                case ')' -> {
                    last = size + 1;
                    size = last + (outer.isEmpty() ? 0 : outer.pop());
                }
                case '{' -> {
                    long times = largest(regex, i);
                    size += last * Math.max(0, times - 1);
                    last *= Math.max(1, times);
                    i = times > 0 ? regex.indexOf('}', i) : i;
                }
                case '[' -> {
                    i = classEnd(regex, i);
                    last = 1;
                    size++;
                }
                case '\\' -> {
                    // Brackets within \Q and \E are characters like others
                    int end = escapeEnd(regex, i);
                    size += Math.max(1, end - i - 1);
                    last = 1;
                    i = end;
                }
                default -> {
                    last = 1;
                    size++;
                }
            }
        }
        return size;
    }

    /** The larger number of {@code {n}}, {@code {n,}} or {@code {n,m}}; 0 if it is none of these. */
    private static long largest(String regex, int open) {
        int close = regex.indexOf('}', open);
        String inside = close < 0 ? "" : regex.substring(open + 1, close);
        if (!inside.matches("[0-9]{1,9}(,[0-9]{0,9})?")) {
            return 0;
        }
        long largest = 0;
        for (String number : inside.split(",", -1)) {
            largest = number.isEmpty() ? largest : Math.max(largest, Long.parseLong(number));
        }
        return largest;
    }

    /** The last character of an escape or of a quotation that begins here. */
    private static int escapeEnd(String regex, int backslash) {
        if (!regex.startsWith("\\Q", backslash)) {
            return backslash + 1;
        }
        int end = regex.indexOf("\\E", backslash + 2);
        return end < 0 ? regex.length() : end + 1;
    }

    private static int classEnd(String regex, int open) {
        // A bracket that comes first is a member
        int at = open + 1;
        at += at < regex.length() && regex.charAt(at) == '^' ? 1 : 0;
        at += at < regex.length() && regex.charAt(at) == ']' ? 1 : 0;
        while (at < regex.length() && regex.charAt(at) != ']') {
            int named = regex.startsWith("[:", at) ? regex.indexOf(":]", at + 2) : -1;
            if (named >= 0) {
                at = named + 2;
            } else {
                at += regex.charAt(at) == '\\' ? 2 : 1;
            }
        }
        return at;
    }
}
