package io.cordwood.search.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.query.search.TopValues;
import io.cordwood.query.search.ValueCount;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.RequestFields;
import java.io.IOException;

/** {@code values}: the most frequent values of a column. */
final class ValuesOperation implements Operation {
    private static final int DEFAULT_LIMIT = 10;
    private static final int MAX_LIMIT = 1000;

    private record Request(Condition condition, String column, int limit) {}

    @Override
    public Answer prepare(RequestFields fields) {
        Request request = new Request(
                Condition.of(fields),
                fields.text("column")
                        .orElseThrow(() -> ApiException.invalid("'column' is missing: name the column to count")),
                fields.integer("limit", 1, MAX_LIMIT).orElse(DEFAULT_LIMIT));
        fields.requireNoOthers();
        return (asked, output) -> write(request, asked, output);
    }

    private static void write(Request request, Asked asked, Output output) throws IOException {
        QueryColumn column = VisibleColumns.named(asked.table(), request.column());
        requireCountable(column);
        TopValues values =
                TopValues.find(asked.scan(), request.condition().filter(asked.table()), column, request.limit());
        try (JsonGenerator json = output.json("application/json")) {
            json.writeStartObject();
            json.writeArrayFieldStart("values");
            for (ValueCount count : values.values()) {
                write(json, count);
            }
            json.writeEndArray();
            json.writeNumberField("distinct", values.distinct());
            json.writeNumberField("null_count", values.nulls());
            json.writeBooleanField("approximate", values.isApproximate());
            ShownStatistics.write(json, asked);
            json.writeEndObject();
        }
    }

    /** Values are text, whatever the type of the column, so that large numbers keep their digits. */
    static void write(JsonGenerator json, ValueCount count) throws IOException {
        json.writeStartObject();
        json.writeFieldName("value");
        if (count.value().isPresent()) {
            json.writeString(count.value().get());
        } else {
            json.writeNull();
        }
        json.writeNumberField("count", count.rows());
        json.writeEndObject();
    }

    static void requireCountable(QueryColumn column) {
        if (column.type() == ColumnType.MAP) {
            throw ApiException.invalid(
                    "Rows cannot be counted by the map '%s'; use another column".formatted(column.name()));
        }
    }
}
