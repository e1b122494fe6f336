package io.cordwood.search.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.search.http.RequestFields;
import java.io.IOException;
import java.util.Locale;

/** {@code columns}: names, types, and how text is searched. */
final class ColumnsOperation implements Operation {
    @Override
    public Answer prepare(RequestFields fields) {
        fields.requireNoOthers();
        return ColumnsOperation::write;
    }

    private static void write(Asked asked, Output output) throws IOException {
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
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
    }
}
