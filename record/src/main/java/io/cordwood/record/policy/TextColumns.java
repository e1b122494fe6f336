package io.cordwood.record.policy;

import io.cordwood.logblock.schema.IndexKind;
import java.io.Serializable;
import java.util.Set;

/**
 * The varchar columns of a stream that are text, that is, tokenised. Immutable.
 *
 * @param lastSegments a column is text if the last dotted segment of its name is one of these
 * @param names columns that are text independent of their last segment; lower-case, dotted
 */
public record TextColumns(Set<String> lastSegments, Set<String> names) implements Serializable {
    /** The usual names of log messages: {@code message}, {@code msg}, {@code log} and so on. */
    public static final TextColumns DEFAULT = new TextColumns(
            Set.of("message", "msg", "log", "body", "text", "error", "exception", "stack", "stack_trace"), Set.of());

    public TextColumns {
        lastSegments = Set.copyOf(lastSegments);
        names = Set.copyOf(names);
    }

    /** The default rule plus these columns. */
    public static TextColumns withNames(Set<String> names) {
        return new TextColumns(DEFAULT.lastSegments, names);
    }

    public boolean isText(String column) {
        return names.contains(column) || lastSegments.contains(column.substring(column.lastIndexOf('.') + 1));
    }

    /** The index of a varchar column of this name. */
    public IndexKind indexKind(String column) {
        return isText(column) ? IndexKind.TEXT : IndexKind.KEYWORD;
    }
}
