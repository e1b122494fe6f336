package io.cordwood.query.language;

import io.cordwood.query.language.SearchExpression.ColumnReference;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Explains that a search names a column that does not exist. Stateless. */
final class UnknownColumns {
    private static final int MAX_LENGTH = 64;
    /** A name of this many characters may have one wrong, of twice as many two. */
    private static final int LENGTH_PER_ERROR = 4;

    private UnknownColumns() {}

    static SearchSyntaxException error(ColumnReference reference, SearchValue value, Collection<String> names) {
        String name = reference.text().toLowerCase(Locale.ROOT);
        String closest = closest(name, names)
                .map("the closest name is '%s'; "::formatted)
                .orElse("");
        String text = WrittenValues.shortened(reference.text() + ":" + WrittenValues.of(value));
        return new SearchSyntaxException(
                reference.position(),
                "There is no column '%s'".formatted(WrittenValues.shortened(name)),
                "%sput text in double quotes, as in \"%s\""
                        .formatted(closest, text.replace("\\", "\\\\").replace("\"", "\\\"")));
    }

    /** The name that differs least, if it is near. */
    private static Optional<String> closest(String name, Collection<String> names) {
        if (name.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        int limit = Math.max(1, name.length() / LENGTH_PER_ERROR);
        return names.stream()
                .filter(candidate -> Math.abs(candidate.length() - name.length()) <= limit)
                .filter(candidate -> distance(name, candidate) <= limit)
                .min(Comparator.<String>comparingInt(candidate -> distance(name, candidate))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** The number of characters to insert, delete or replace (Levenshtein). */
    private static int distance(String from, String to) {
        int[] above = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] row = new int[to.length() + 1];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = above[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
            }
            above = row;
        }
        return above[to.length()];
    }
}
