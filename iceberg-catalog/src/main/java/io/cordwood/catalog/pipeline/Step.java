package io.cordwood.catalog.pipeline;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A step of a pipeline. Columns have the names that SQL shows. Immutable. The constructors throw
 * {@link IllegalArgumentException}, with a message for the user, if a value cannot be.
 */
public sealed interface Step {
    /** Takes columns out of the text of a column. A row whose text is of another form stays as it is. */
    record Parse(String column, Format format, Optional<String> pattern, List<String> numbers, boolean overwrite)
            implements Step {
        /** The form of the text. */
        public enum Format {
            /** A JSON object. */
            JSON,
            /** Pairs of {@code name=value}, separated by blanks. */
            LOGFMT,
            /** A regular expression in RE2's syntax: each named group is a column. */
            REGEX,
            /** A pattern of grok: each {@code %{PATTERN:column}} is a column. */
            GROK
        }

        /**
         * Describes the step.
         *
         * @param pattern of {@link Format#REGEX} and {@link Format#GROK}
         * @param numbers names of columns that become numbers where their text is one
         * @param overwrite whether a column replaces one of the same name that the row has; else that one stays
         */
        public Parse {
            Steps.requireColumn(column);
            requireNonNull(format, "format is null");
            boolean needsPattern = format == Format.REGEX || format == Format.GROK;
            if (needsPattern != pattern.isPresent()) {
                throw new IllegalArgumentException(
                        needsPattern ? "A parse step of this format needs a pattern" : "This format takes no pattern");
            }
            pattern.ifPresent(text -> ColumnPattern.of(format, text));
            numbers.forEach(Steps::requireColumn);
            numbers = List.copyOf(numbers);
        }
    }

    /** Gives a column another name, unless the row has a column of that name. */
    record Rename(String from, String to) implements Step {
        public Rename {
            Steps.requireColumn(from);
            Steps.requireColumn(to);
        }
    }

    /** Takes columns out of the row. */
    record Remove(List<String> columns) implements Step {
        public Remove {
            if (columns.isEmpty()) {
                throw new IllegalArgumentException("A remove step names no columns");
            }
            columns.forEach(Steps::requireColumn);
            columns = List.copyOf(columns);
        }
    }

    /** Keeps some of the rows, or none, whose column has a match of a regular expression; others stay. */
    record Sample(String column, String matches, double keep) implements Step {
        /** @param keep the part of them to keep, from 0 to 1 */
        public Sample {
            Steps.requireColumn(column);
            ColumnPattern.compile(matches);
            if (!(keep >= 0 && keep < 1)) {
                throw new IllegalArgumentException("'keep' is %s; it must be at least 0 and below 1".formatted(keep));
            }
        }
    }

    /** Replaces sensitive values of known forms, wherever in the row they are. */
    record Redact(Set<Sensitive> kinds) implements Step {
        public Redact {
            if (kinds.isEmpty()) {
                throw new IllegalArgumentException("A redact step says neither 'kinds' nor 'pattern'");
            }
            kinds = Set.copyOf(new TreeSet<>(kinds));
        }
    }

    /** Replaces what a regular expression matches, in every value of the row. */
    record RedactPattern(String name, String pattern) implements Step {
        private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,49}");

        /** @param name what stands in the place of a match, within {@code [redacted:…]} */
        public RedactPattern {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "'%s' cannot be the name of a pattern: use 1 to 50 of a-z, 0-9 and '_', a letter first"
                                .formatted(Steps.shortened(name)));
            }
            if (Steps.matchesNothing(ColumnPattern.compile(pattern))) {
                throw new IllegalArgumentException(
                        "The pattern '%s' matches an empty text".formatted(Steps.shortened(pattern)));
            }
        }
    }
}
