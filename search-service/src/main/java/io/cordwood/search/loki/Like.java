package io.cordwood.search.loki;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.schema.Column;
import java.util.Optional;

/** Conditions on parts of texts. Stateless. */
final class Like {
    private static final char ESCAPE = '\\';

    private Like() {}

    /** The condition that a text has a part, with something before and behind it where that is allowed. */
    static Predicate of(Column column, String part, boolean anyBefore, boolean anyAfter) {
        StringBuilder pattern = new StringBuilder(anyBefore ? "%" : "");
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (c == '%' || c == '_' || c == ESCAPE) {
                pattern.append(ESCAPE);
            }
            pattern.append(c);
        }
        return new Predicate.Like(column, pattern.append(anyAfter ? "%" : "").toString(), Optional.of(ESCAPE));
    }
}
