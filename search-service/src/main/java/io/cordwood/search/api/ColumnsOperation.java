package io.cordwood.search.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.query.table.TableVersion;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.RequestFields;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;

/** {@code columns}: names, types, how text is searched, and the shares of rows that have a value. */
final class ColumnsOperation implements Operation {
    private static final double PRECISION = 1e4;

    private final Shares shares;

    /** Finds the shares of rows that have a value, by name of the column. */
    @FunctionalInterface
    interface Shares {
        /**
         * Those of a table.
         *
         * @param check throws once the question may not go on
         */
        Map<String, Double> of(TableVersion table, Runnable check);
    }

    ColumnsOperation(Shares shares) {
        this.shares = shares;
    }

    @Override
    public Answer prepare(RequestFields fields) {
        boolean isShared = fields.text("share").map(ColumnsOperation::isTrue).orElse(false);
        fields.requireNoOthers();
        return (asked, output) -> write(asked, isShared, output);
    }

    private static boolean isTrue(String value) {
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw ApiException.invalid("'share' is true or false");
        };
    }

    private void write(Asked asked, boolean isShared, Output output) throws IOException {
        // They need all manifests of the table
        Map<String, Double> known = isShared ? shares.of(asked.table(), asked.scan()::checkLimits) : Map.of();
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
