package io.cordwood.query.search;

import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.query.table.TableVersion;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Chooses the column whose lines are read. Stateless. */
public final class TextColumn {
    private static final String USUAL_NAME = "message";

    private TextColumn() {}

    /**
     * The column of a name; without a name {@code message}, or else the first column that is searched as text.
     *
     * @throws QueryException INVALID_COLUMN if there is no such column, or if it is not text
     */
    public static QueryColumn of(TableVersion table, Optional<String> name) {
        List<QueryColumn> visible = table.columns().columns().values().stream()
                .filter(column -> !column.isHidden())
                .toList();
        return name.map(text -> named(table, visible, text)).orElseGet(() -> usual(table, visible));
    }

    private static QueryColumn named(TableVersion table, List<QueryColumn> visible, String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        QueryColumn column = visible.stream()
                .filter(each -> each.name().equals(lower))
                .findFirst()
                .orElseThrow(() -> invalid(
                        "Stream '%s' of tenant '%s' has no column '%s'"
                                .formatted(table.stream(), table.tenantId(), name),
                        visible));
        if (column.type() != ColumnType.VARCHAR) {
            throw invalid(
                    "Column '%s' is %s, not text"
                            .formatted(lower, column.type().name().toLowerCase(Locale.ROOT)),
                    visible);
        }
        return column;
    }

    private static QueryColumn usual(TableVersion table, List<QueryColumn> visible) {
        List<QueryColumn> searched = visible.stream()
                .filter(column -> column.index() == IndexKind.TEXT)
                .toList();
        return searched.stream()
                .filter(column -> column.name().equals(USUAL_NAME))
                .findFirst()
                .or(() -> searched.stream().findFirst())
                .orElseThrow(() -> invalid(
                        "Stream '%s' of tenant '%s' has no column that is searched as text"
                                .formatted(table.stream(), table.tenantId()),
                        visible));
    }

    private static QueryException invalid(String why, List<QueryColumn> visible) {
        return new QueryException(
                QueryError.INVALID_COLUMN,
                "%s; name one of these columns: %s"
                        .formatted(
                                why,
                                visible.stream()
                                        .filter(column -> column.type() == ColumnType.VARCHAR)
                                        .map(QueryColumn::name)
                                        .collect(Collectors.joining(", "))));
    }
}
