package io.cordwood.search.api;

import io.cordwood.query.search.PageStart;
import io.cordwood.query.search.RowQuestion;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.query.table.TableVersion;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.RequestFields;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The fields of a search. Immutable.
 *
 * @param condition which rows
 * @param columns names of columns to return; empty for all
 * @param newestFirst the order
 * @param limit maximum number of rows
 * @param after the cursor after which the page begins
 */
record SearchRequest(
        Condition condition, Optional<List<String>> columns, boolean newestFirst, int limit, Optional<String> after) {
    static final int MAX_LIMIT = 100_000;
    private static final int DEFAULT_LIMIT = 100;

    static SearchRequest of(RequestFields fields) {
        SearchRequest request = new SearchRequest(
                Condition.of(fields),
                fields.texts("columns"),
                newestFirst(fields.text("order").orElse("desc")),
                fields.integer("limit", 1, MAX_LIMIT).orElse(DEFAULT_LIMIT),
                fields.text("after"));
        fields.requireNoOthers();
        request.columns().ifPresent(names -> {
            if (names.isEmpty() || Set.copyOf(names).size() < names.size()) {
                throw ApiException.invalid("'columns' must name at least one column, and each only once");
            }
        });
        return request;
    }

    private static boolean newestFirst(String order) {
        return switch (order) {
            case "desc" -> true;
            case "asc" -> false;
            default -> throw ApiException.invalid("'order' is '%s'; use desc (newest first) or asc".formatted(order));
        };
    }

    RowQuestion question(Asked asked) {
        TableVersion table = asked.table();
        Optional<PageStart> start = after.map(text -> asked.cursors().decodePage("after", text));
        return new RowQuestion(
                condition.filter(table),
                newestFirst,
                limit,
                start,
                columns.map(names -> names.stream()
                                .map(name -> VisibleColumns.named(table, name))
                                .toList())
                        .orElseGet(() -> shown(table)));
    }

    /** All columns but the tenant, which is the same in all rows. */
    static List<QueryColumn> shown(TableVersion table) {
        return VisibleColumns.of(table).values().stream()
                .filter(column -> !column.equals(QueryColumn.TENANT_ID))
                .toList();
    }
}
