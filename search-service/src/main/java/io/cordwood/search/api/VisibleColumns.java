package io.cordwood.search.api;

import io.cordwood.query.table.QueryColumn;
import io.cordwood.query.table.TableVersion;
import io.cordwood.search.http.ApiException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The columns of a table that the API shows: not those of rows' places in Kafka and storage. Stateless. */
public final class VisibleColumns {
    private VisibleColumns() {}

    /** By name, in the order of the table. */
    public static Map<String, QueryColumn> of(TableVersion table) {
        Map<String, QueryColumn> visible = new LinkedHashMap<>();
        table.columns().columns().forEach((name, column) -> {
            if (!column.isHidden()) {
                visible.put(name, column);
            }
        });
        return visible;
    }

    /** @throws ApiException if the table has no such column */
    static QueryColumn named(TableVersion table, String name) {
        return Optional.ofNullable(of(table).get(name.toLowerCase(Locale.ROOT)))
                .orElseThrow(() -> ApiException.invalid("Stream '%s' of tenant '%s' has no column '%s'"
                        .formatted(table.stream(), table.tenantId(), name)));
    }
}
