package io.cordwood.search.logql;

import com.google.re2j.Pattern;
import io.cordwood.search.logql.template.Template;
import java.util.List;
import java.util.Optional;

/** A step of what is done with lines. Immutable. */
public sealed interface Stage {
    /**
     * Keeps the lines in which at least one of the alternatives is, or if negated none of them.
     *
     * @param alternatives what is looked for
     */
    record LineFilter(boolean negated, List<LineMatch> alternatives) implements Stage {
        public LineFilter {
            alternatives = List.copyOf(alternatives);
        }
    }

    /** Keeps the lines whose labels satisfy a condition. */
    record LabelFilter(LabelCondition condition) implements Stage {}

    /**
     * Takes labels from lines that are JSON objects.
     *
     * @param fields the fields to take; empty for all
     */
    record Json(List<Extraction> fields) implements Stage {
        public Json {
            fields = List.copyOf(fields);
        }
    }

    /**
     * Takes labels from lines in logfmt.
     *
     * @param strict whether a malformed line is an error
     * @param keepEmpty whether keys without a value give empty labels
     * @param fields the fields to take; empty for all
     */
    record Logfmt(boolean strict, boolean keepEmpty, List<Extraction> fields) implements Stage {
        public Logfmt {
            fields = List.copyOf(fields);
        }
    }

    /** Takes labels from the named groups of a regular expression. */
    record Regexp(Pattern pattern) implements Stage {}

    /** Takes labels from the captures of a pattern. */
    record Capture(LinePattern pattern) implements Stage {}

    /** Takes labels and the line from what Promtail's {@code pack} made. */
    record Unpack() implements Stage {}

    /** Replaces the line. */
    record LineFormat(Template template) implements Stage {}

    /** Sets labels. */
    record LabelFormat(List<Assignment> assignments) implements Stage {
        public LabelFormat {
            assignments = List.copyOf(assignments);
        }
    }

    /** Removes labels. */
    record Drop(List<LabelChoice> labels) implements Stage {
        public Drop {
            labels = List.copyOf(labels);
        }
    }

    /** Removes all other labels. */
    record Keep(List<LabelChoice> labels) implements Stage {
        public Keep {
            labels = List.copyOf(labels);
        }
    }

    /** Removes colours of terminals from the line. */
    record Decolorize() implements Stage {}

    /**
     * A field to take.
     *
     * @param label name of its label
     * @param path where it is: of JSON the names of members and the indexes of elements, of logfmt one key
     */
    record Extraction(String label, List<String> path) {
        public Extraction {
            path = List.copyOf(path);
        }
    }

    /** A label, if a condition on it holds. */
    record LabelChoice(String label, Optional<LabelMatcher> condition) {
        public boolean applies(String name, String value) {
            return label.equals(name)
                    && condition.map(matcher -> matcher.matches(value)).orElse(true);
        }
    }

    /** A new value of a label. */
    sealed interface Assignment {
        String label();

        /** That of another label, which is removed. */
        record Rename(String label, String from) implements Assignment {}

        /** That of a template. */
        record Format(String label, Template template) implements Assignment {}
    }
}
