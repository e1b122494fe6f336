package io.cordwood.search.api;

import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.query.language.BoundSearch;
import io.cordwood.query.language.SqlConditions;
import io.cordwood.query.language.SqlNames;
import io.cordwood.query.search.RowQuestion;
import io.cordwood.query.table.TableVersion;
import java.util.stream.Collectors;

/** SQL for Trino that asks the same. Stateless. */
final class EqualSql {
    private EqualSql() {}

    /** The rows of a search. A page after a cursor is asked for from its beginning. */
    static String of(TableVersion table, RowQuestion question) {
        return "SELECT %s\nFROM %s\nWHERE %s\nORDER BY ts%s\nLIMIT %d"
                .formatted(
                        question.columns().stream()
                                .map(column -> SqlNames.of(column.name()))
                                .collect(Collectors.joining(", ")),
                        table(table),
                        SqlConditions.of(new BoundSearch(
                                question.filter().time(), question.filter().conjuncts())),
                        question.newestFirst() ? " DESC" : "",
                        question.limit());
    }

    private static String table(TableVersion table) {
        return "cordwood.%s.%s"
                .formatted(SqlNames.of(TenantNames.schemaName(table.tenantId())), SqlNames.of(table.stream()));
    }
}
