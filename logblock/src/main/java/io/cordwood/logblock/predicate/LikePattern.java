package io.cordwood.logblock.predicate;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.match.Tokenizer;
import io.cordwood.logblock.match.ValueMatcher;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A parsed SQL {@code LIKE} pattern: literals and wildcards. {@code _} matches one code point. Immutable. */
public final class LikePattern implements ValueMatcher {
    /** An element of the pattern: a literal, {@code _} or {@code %}. */
    private sealed interface Element {
        record Literal(byte[] utf8) implements Element {}

        record AnyOne() implements Element {}

        record AnyRun() implements Element {}
    }

    private final List<Element> elements;

    private LikePattern(List<Element> elements) {
        this.elements = elements;
    }

    /**
     * Parses a pattern of {@code LIKE}.
     *
     * @throws IllegalArgumentException if an escape character precedes anything but a wildcard or itself
     */
    public static LikePattern parse(String pattern, Optional<Character> escape) {
        List<Element> elements = new ArrayList<>();
        ByteArrayOutputStream literal = new ByteArrayOutputStream();
        for (int i = 0; i < pattern.length(); ) {
            int c = pattern.codePointAt(i);
            i += Character.charCount(c);
            if (escape.isPresent() && c == escape.get()) {
                if (i == pattern.length() || !isEscapable(pattern.charAt(i), escape.get())) {
                    throw new IllegalArgumentException(
                            "LIKE pattern '%s': the escape character must stand before '%%', '_' or itself"
                                    .formatted(pattern));
                }
                literal.writeBytes(Character.toString(pattern.charAt(i++)).getBytes(UTF_8));
            } else if (c == '%' || c == '_') {
                addLiteral(literal, elements);
                Element wildcard = c == '%' ? new Element.AnyRun() : new Element.AnyOne();
                if (c == '_' || elements.isEmpty() || !(elements.getLast() instanceof Element.AnyRun)) {
                    elements.add(wildcard);
                }
            } else {
                literal.writeBytes(Character.toString(c).getBytes(UTF_8));
            }
        }
        addLiteral(literal, elements);
        return new LikePattern(elements);
    }

    private static boolean isEscapable(char c, char escape) {
        return c == '%' || c == '_' || c == escape;
    }

    private static void addLiteral(ByteArrayOutputStream literal, List<Element> elements) {
        if (literal.size() > 0) {
            elements.add(new Element.Literal(literal.toByteArray()));
            literal.reset();
        }
    }

    @Override
    public boolean matches(byte[] utf8, int from, int to) {
        // Greedy, with one point to backtrack to: the latest '%'.
        int element = 0;
        int at = from;
        int retryElement = -1;
        int retryAt = -1;
        while (true) {
            if (element == elements.size()) {
                if (at == to) {
                    return true;
                }
            } else {
                Element next = elements.get(element);
                if (next instanceof Element.AnyRun) {
                    retryElement = ++element;
                    retryAt = at;
                    continue;
                }
                int end = advance(next, utf8, at, to);
                if (end >= 0) {
                    at = end;
                    element++;
                    continue;
                }
            }
            if (retryElement < 0 || retryAt >= to) {
                return false;
            }
            retryAt++;
            at = retryAt;
            element = retryElement;
        }
    }

    private static int advance(Element element, byte[] utf8, int at, int to) {
        return switch (element) {
            case Element.Literal literal -> {
                int end = at + literal.utf8().length;
                yield end <= to && Arrays.equals(utf8, at, end, literal.utf8(), 0, literal.utf8().length) ? end : -1;
            }
            case Element.AnyOne _one -> {
                // A run must not end inside a code point.
                if (at >= to || (utf8[at] & 0xC0) == 0x80) {
                    yield -1;
                }
                int end = at + 1;
                while (end < to && (utf8[end] & 0xC0) == 0x80) {
                    end++;
                }
                yield end;
            }
            case Element.AnyRun _run -> at;
        };
    }

    /** The prefix of every match. */
    public byte[] prefix() {
        return !elements.isEmpty() && elements.getFirst() instanceof Element.Literal literal
                ? literal.utf8()
                : new byte[0];
    }

    /**
     * The tokens that every match contains: those of the pattern's literals that are bounded on both sides by a
     * separator or by the value's end.
     */
    public List<byte[]> wholeTokens() {
        List<byte[]> tokens = new ArrayList<>();
        for (int i = 0; i < elements.size(); i++) {
            if (elements.get(i) instanceof Element.Literal literal) {
                addWholeTokens(literal.utf8(), i == 0, i == elements.size() - 1, tokens);
            }
        }
        return tokens;
    }

    /**
     * Adds the literal's tokens, except those at an end where the value may continue: a letter there would extend them.
     */
    private static void addWholeTokens(byte[] utf8, boolean startsValue, boolean endsValue, List<byte[]> tokens) {
        List<byte[]> inner = tokens(utf8);
        boolean openStart = !startsValue && tokens(concat("x", utf8, "")).size() == inner.size();
        boolean openEnd = !endsValue && tokens(concat("", utf8, "x")).size() == inner.size();
        int from = openStart ? 1 : 0;
        int to = openEnd ? inner.size() - 1 : inner.size();
        if (from < to) {
            tokens.addAll(inner.subList(from, to));
        }
    }

    /** The tokens of a value. */
    static List<byte[]> tokens(byte[] utf8) {
        List<byte[]> tokens = new ArrayList<>();
        Tokenizer tokenizer = new Tokenizer().reset(utf8, 0, utf8.length);
        while (tokenizer.next()) {
            tokens.add(tokenizer.copy());
        }
        return tokens;
    }

    private static byte[] concat(String before, byte[] utf8, String after) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(before.getBytes(UTF_8));
        all.writeBytes(utf8);
        all.writeBytes(after.getBytes(UTF_8));
        return all.toByteArray();
    }
}
