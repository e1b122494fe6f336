package io.cordwood.search.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.query.table.TableVersion;
import io.cordwood.search.http.RequestFields;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** {@code columns}: names, types, how text is searched, and the shares of rows that have a value. */
final class ColumnsOperation implements Operation {
    private static final double PRECISION = 1e4;

    private final Function<TableVersion, Map<String, Double>> shares;

    /** @param shares the shares of rows that have a value, by name of the column */
    ColumnsOperation(Function<TableVersion, Map<String, Double>> shares) {
        this.shares = shares;
    }

    @Override
    public Answer prepare(RequestFields fields) {
        fields.requireNoOthers();
        return this::write;
    }

    private void write(Asked asked, Output output) throws IOException {
        Map<String, Double> known = shares.apply(asked.table());
        try (JsonGenerator json = output.json("application/json")) {
            json.writeStartObject();
            json.writeArrayFieldStart("columns");
            for (QueryColumn column : VisibleColumns.of(asked.table()).values()) {
                json.writeStartObject();
                json.writeStringField("name", column.name());
                json.writeStringField("type", column.type().name().toLowerCase(Locale.ROOT));
                if (column.index() != IndexKind.NONE) {
                    json.writeStringField("index", column.index().name().toLowerCase(Locale.ROOT));
                }
                if (known.containsKey(column.name())) {
                    json.writeNumberField("share", Math.round(PRECISION * known.get(column.name())) / PRECISION);
                }
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
    }
}
