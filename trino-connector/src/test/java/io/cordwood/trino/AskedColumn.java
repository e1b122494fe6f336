package io.cordwood.trino;

import java.util.List;

/**
 * A column that random questions name.
 *
 * @param name as searches name it
 * @param samples values that it has, or nearly has, as text
 */
record AskedColumn(String name, Kind kind, List<String> samples) {
    private static final String ATTRIBUTE = "attributes.";

    /** Of a histogram that does not count by a column. */
    static final AskedColumn NONE = new AskedColumn("", Kind.KEYWORD, List.of());

    enum Kind {
        TEXT,
        KEYWORD,
        BIGINT,
        DOUBLE,
        BOOLEAN,
        TIME
    }

    /** The value as an expression in SQL. */
    String sql() {
        return name.startsWith(ATTRIBUTE)
                ? "element_at(attributes, %s)".formatted(literal(name.substring(ATTRIBUTE.length())))
                : '"' + name + '"';
    }

    boolean isStored() {
        return !name.startsWith(ATTRIBUTE);
    }

    /** A text as a literal in SQL. */
    static String literal(String text) {
        return "'%s'".formatted(text.replace("'", "''"));
    }
}
