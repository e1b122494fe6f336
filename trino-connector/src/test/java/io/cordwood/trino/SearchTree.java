package io.cordwood.trino;

import static java.util.stream.Collectors.joining;

import io.cordwood.trino.AskedColumn.Kind;
import java.util.List;

/** A search as a tree, which can be written in the language of searches and as a condition in SQL. Immutable. */
sealed interface SearchTree {
    String text();

    /** The condition; never null, since a search finds a row or does not. */
    String sql();

    /** Whether a condition on {@code ts} is part of it. */
    default boolean namesTime() {
        return switch (this) {
            case All(List<SearchTree> terms, String _) -> terms.stream().anyMatch(SearchTree::namesTime);
            case Any(List<SearchTree> terms) -> terms.stream().anyMatch(SearchTree::namesTime);
            case No(SearchTree term, String _) -> term.namesTime();
            case InColumn(String _, SearchTree values) -> values.namesTime();
            case Value(AskedColumn column, WantedValue _) -> column.kind() == Kind.TIME;
            case Every _, InText _ -> false;
        };
    }

    /** Every row. */
    record Every(String text) implements SearchTree {
        @Override
        public String sql() {
            return "true";
        }
    }

    /**
     * All of the terms.
     *
     * @param separator what stands between two terms
     */
    record All(List<SearchTree> terms, String separator) implements SearchTree {
        @Override
        public String text() {
            return terms.stream().map(All::operand).collect(joining(separator));
        }

        /** {@code OR} binds weaker. */
        private static String operand(SearchTree term) {
            return term instanceof Any ? "(%s)".formatted(term.text()) : term.text();
        }

        @Override
        public String sql() {
            return terms.stream().map(SearchTree::sql).collect(joining(" AND ", "(", ")"));
        }
    }

    /** One of the terms. */
    record Any(List<SearchTree> terms) implements SearchTree {
        @Override
        public String text() {
            return terms.stream().map(SearchTree::text).collect(joining(" OR "));
        }

        @Override
        public String sql() {
            return terms.stream().map(SearchTree::sql).collect(joining(" OR ", "(", ")"));
        }
    }

    /**
     * Rows that the term does not find.
     *
     * @param operator {@code -} or {@code NOT} with a space
     */
    record No(SearchTree term, String operator) implements SearchTree {
        @Override
        public String text() {
            return operator
                    + (term instanceof Any || term instanceof All ? "(%s)".formatted(term.text()) : term.text());
        }

        @Override
        public String sql() {
            return "(NOT %s)".formatted(term.sql());
        }
    }

    /** A word, phrase or prefix in any text column. */
    record InText(WantedValue value, List<AskedColumn> textColumns) implements SearchTree {
        @Override
        public String text() {
            return value.text();
        }

        @Override
        public String sql() {
            return textColumns.stream()
                    .map(column -> "coalesce(%s, false)".formatted(value.sql(column)))
                    .collect(joining(" OR ", "(", ")"));
        }
    }

    /** A value of a column, in a group of that column. */
    record Value(AskedColumn column, WantedValue value) implements SearchTree {
        @Override
        public String text() {
            return value.text();
        }

        @Override
        public String sql() {
            return "coalesce(%s, false)".formatted(value.sql(column));
        }
    }

    /**
     * Values of a column.
     *
     * @param name the column's name as written
     */
    record InColumn(String name, SearchTree values) implements SearchTree {
        @Override
        public String text() {
            return name + ":" + (values instanceof Value ? values.text() : "(%s)".formatted(values.text()));
        }

        @Override
        public String sql() {
            return values.sql();
        }
    }
}
