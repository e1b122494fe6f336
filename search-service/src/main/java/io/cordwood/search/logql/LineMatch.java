package io.cordwood.search.logql;

import com.google.re2j.Pattern;
import io.cordwood.search.logql.regex.Matching;

/** What a line filter looks for in a line. Immutable. */
public sealed interface LineMatch {
    /** Whether the line has it. */
    boolean isIn(String line);

    /** A text. */
    record Text(String text) implements LineMatch {
        @Override
        public boolean isIn(String line) {
            return line.contains(text);
        }
    }

    /** A match of a regular expression. */
    record Regex(Pattern pattern) implements LineMatch {
        @Override
        public boolean isIn(String line) {
            return Matching.matcher(pattern, line).find();
        }
    }

    /** Literals in order, with something between them. */
    record Shape(LinePattern pattern) implements LineMatch {
        @Override
        public boolean isIn(String line) {
            return pattern.isIn(line);
        }
    }
}
