package io.cordwood.search.logql.template;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.cordwood.catalog.regex.Regex;
import io.cordwood.search.logql.regex.Matching;
import io.cordwood.search.logql.regex.Replacement;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/** The functions of templates that work on text. Stateless. */
final class TextFunctions {
    private TextFunctions() {}

    static List<TemplateFunction> all() {
        return List.of(
                of("ToLower", text -> text.toLowerCase(Locale.ROOT)),
                of("lower", text -> text.toLowerCase(Locale.ROOT)),
                of("ToUpper", text -> text.toUpperCase(Locale.ROOT)),
                of("upper", text -> text.toUpperCase(Locale.ROOT)),
                of("title", TextFunctions::title),
                of("TrimSpace", String::strip),
                of("trim", String::strip),
                of("nospace", text -> text.replaceAll("\\s", "")),
                of("urlencode", text -> URLEncoder.encode(text, UTF_8)),
                of("urldecode", TextFunctions::urlDecode),
                of("b64enc", text -> Base64.getEncoder().encodeToString(text.getBytes(UTF_8))),
                of("b64dec", TextFunctions::base64Decode),
                of("Trim", (text, characters) -> trimLeft(trimRight(text, characters), characters)),
                of("TrimLeft", TextFunctions::trimLeft),
                of("TrimRight", TextFunctions::trimRight),
                of("TrimPrefix", TextFunctions::withoutPrefix),
                of("TrimSuffix", TextFunctions::withoutSuffix),
                of("trimAll", (characters, text) -> trimLeft(trimRight(text, characters), characters)),
                of("trimPrefix", (prefix, text) -> withoutPrefix(text, prefix)),
                of("trimSuffix", (suffix, text) -> withoutSuffix(text, suffix)),
                new TemplateFunction(
                        "replace",
                        3,
                        3,
                        values -> text(replace(text(values, 2), text(values, 0), text(values, 1), -1))),
                new TemplateFunction(
                        "Replace",
                        4,
                        4,
                        values -> text(replace(text(values, 0), text(values, 1), text(values, 2), number(values, 3)))),
                new TemplateFunction("repeat", 2, 2, values -> text(repeat(text(values, 1), number(values, 0)))),
                new TemplateFunction("trunc", 2, 2, values -> text(truncate(text(values, 1), number(values, 0)))),
                new TemplateFunction(
                        "substr",
                        3,
                        3,
                        values -> text(substring(text(values, 2), number(values, 0), number(values, 1)))),
                new TemplateFunction(
                        "alignLeft", 2, 2, values -> text(align(text(values, 1), number(values, 0), true))),
                new TemplateFunction(
                        "alignRight", 2, 2, values -> text(align(text(values, 1), number(values, 0), false))),
                new TemplateFunction("indent", 2, 2, values -> text(indent(text(values, 1), number(values, 0)))),
                new TemplateFunction(
                        "nindent", 2, 2, values -> text("\n" + indent(text(values, 1), number(values, 0)))),
                new TemplateFunction(
                        "contains",
                        2,
                        2,
                        values -> new Value.Flag(text(values, 1).contains(text(values, 0)))),
                new TemplateFunction(
                        "hasPrefix",
                        2,
                        2,
                        values -> new Value.Flag(text(values, 1).startsWith(text(values, 0)))),
                new TemplateFunction(
                        "hasSuffix",
                        2,
                        2,
                        values -> new Value.Flag(text(values, 1).endsWith(text(values, 0)))),
                new TemplateFunction(
                        "len", 1, 1, values -> new Value.Whole(text(values, 0).getBytes(UTF_8).length)),
                ofRegex("count", 2, (pattern, values) -> new Value.Whole(count(pattern, text(values, 1)))),
                ofRegex("regexReplaceAll", 3, (pattern, values) -> text(replaced(pattern, values, false))),
                ofRegex("regexReplaceAllLiteral", 3, (pattern, values) -> text(replaced(pattern, values, true))));
    }

    /** A function whose first argument is a regular expression, which is compiled once if it is constant. */
    private static TemplateFunction ofRegex(String name, int arguments, BiFunction<Pattern, List<Value>, Value> body) {
        return new TemplateFunction(
                name, arguments, arguments, values -> body.apply(pattern(text(values, 0)), values), constant -> {
                    Pattern pattern = pattern(constant.text());
                    return values -> body.apply(pattern, values);
                });
    }

    private static TemplateFunction of(String name, UnaryOperator<String> body) {
        return new TemplateFunction(name, 1, 1, values -> text(body.apply(text(values, 0))));
    }

    private static TemplateFunction of(String name, BinaryOperator<String> body) {
        return new TemplateFunction(name, 2, 2, values -> text(body.apply(text(values, 0), text(values, 1))));
    }

    private static Value text(String text) {
        requireLength(text.length());
        return new Value.Text(text);
    }

    private static String text(List<Value> values, int index) {
        return values.get(index).text();
    }

    private static int number(List<Value> values, int index) {
        return Math.toIntExact(Math.clamp(values.get(index).whole(), Integer.MIN_VALUE, Integer.MAX_VALUE));
    }

    private static Pattern pattern(String regex) {
        // It takes milliseconds if it is large, and a template may have many
        Matching.check();
        try {
            return Regex.compile(regex, 0);
        } catch (PatternSyntaxException e) {
            throw new TemplateException("the regular expression '%s' is malformed".formatted(regex));
        }
    }

    private static int count(Pattern pattern, String text) {
        Matcher matcher = Matching.matcher(pattern, text);
        int count = 0;
        while (matcher.find()) {
            count++;
        }
        return count;
    }

    private static String replaced(Pattern pattern, List<Value> values, boolean isLiteral) {
        String text = text(values, 1);
        return Replacement.all(
                Matching.matcher(pattern, text), text, text(values, 2), isLiteral, TextFunctions::requireLength);
    }

    private static String title(String text) {
        StringBuilder titled = new StringBuilder(text);
        for (int i = 0; i < titled.length(); i++) {
            if (i == 0 || Character.isWhitespace(titled.charAt(i - 1))) {
                titled.setCharAt(i, Character.toTitleCase(titled.charAt(i)));
            }
        }
        return titled.toString();
    }

    private static String urlDecode(String text) {
        try {
            return URLDecoder.decode(text, UTF_8);
        } catch (IllegalArgumentException e) {
            throw new TemplateException("'%s' is no encoded text".formatted(text));
        }
    }

    private static String base64Decode(String text) {
        try {
            return new String(Base64.getDecoder().decode(text), UTF_8);
        } catch (IllegalArgumentException e) {
            throw new TemplateException("'%s' is no Base64".formatted(text));
        }
    }

    private static String trimLeft(String text, String characters) {
        int from = 0;
        while (from < text.length() && characters.indexOf(text.charAt(from)) >= 0) {
            from++;
        }
        return text.substring(from);
    }

    private static String trimRight(String text, String characters) {
        int to = text.length();
        while (to > 0 && characters.indexOf(text.charAt(to - 1)) >= 0) {
            to--;
        }
        return text.substring(0, to);
    }

    private static String withoutPrefix(String text, String prefix) {
        return text.startsWith(prefix) ? text.substring(prefix.length()) : text;
    }

    private static String withoutSuffix(String text, String suffix) {
        return text.endsWith(suffix) ? text.substring(0, text.length() - suffix.length()) : text;
    }

    /** Replaces the first occurrences; all if the number is negative. */
    private static String replace(String text, String old, String replacement, int most) {
        StringBuilder replaced = new StringBuilder();
        int at = 0;
        int found = old.isEmpty() ? -1 : text.indexOf(old);
        for (int i = 0; found >= 0 && i != most; i++) {
            replaced.append(text, at, found).append(replacement);
            requireLength(replaced.length());
            at = found + old.length();
            found = text.indexOf(old, at);
        }
        return replaced.append(text, at, text.length()).toString();
    }

    private static String repeat(String text, int times) {
        requireLength((long) text.length() * times);
        return text.repeat(Math.max(0, times));
    }

    private static void requireLength(long length) {
        if (length > Template.MAX_LENGTH) {
            throw new TemplateException("a value is longer than %,d characters".formatted(Template.MAX_LENGTH));
        }
    }

    /** The first characters; the last ones if the number is negative. */
    private static String truncate(String text, int length) {
        return length >= 0
                ? text.substring(0, Math.min(text.length(), length))
                : text.substring(Math.max(0, text.length() + length));
    }

    private static String substring(String text, int from, int to) {
        int begin = Math.clamp(from, 0, text.length());
        int end = to < 0 || to > text.length() ? text.length() : to;
        return begin >= end ? "" : text.substring(begin, end);
    }

    private static String align(String text, int width, boolean left) {
        if (text.length() >= width) {
            return left ? text.substring(0, Math.max(0, width)) : text.substring(text.length() - Math.max(0, width));
        }
        String padding = repeat(" ", width - text.length());
        return left ? text + padding : padding + text;
    }

    private static String indent(String text, int width) {
        String padding = repeat(" ", width);
        String indented = padding + replace(text, "\n", "\n" + padding, -1);
        requireLength(indented.length());
        return indented;
    }
}
