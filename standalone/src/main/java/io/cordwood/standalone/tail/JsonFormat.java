package io.cordwood.standalone.tail;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.query.scan.Timestamps;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;

/** The format for programs: one JSON object per row, with SQL's column names. Columns that are null are left out. */
public final class JsonFormat implements RowFormat {
    private static final JsonFactory JSON = new JsonFactory();

    @Override
    public void append(TailRow row, StringBuilder line) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField(LogBlockSchema.TS, Timestamps.text(row.micros()));
            for (Map.Entry<String, Object> column : row.columns().entrySet()) {
                json.writeFieldName(column.getKey());
                write(json, column.getValue());
            }
            if (!row.attributes().isEmpty()) {
                json.writeFieldName(LogBlockSchema.ATTRIBUTES);
                write(json, row.attributes());
            }
            json.writeNumberField("$kafka_partition", row.partition());
            json.writeNumberField("$kafka_offset", row.offset());
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        line.append(text).append('\n');
    }

    private static void write(JsonGenerator json, Object value) throws IOException {
        switch (value) {
            case Long number -> json.writeNumber(number);
            case Double number when Double.isFinite(number) -> json.writeNumber(number);
            case Boolean truth -> json.writeBoolean(truth);
            case Map<?, ?> entries -> {
                json.writeStartObject();
                for (Map.Entry<?, ?> entry : entries.entrySet()) {
                    json.writeStringField(
                            entry.getKey().toString(), entry.getValue().toString());
                }
                json.writeEndObject();
            }
            default -> json.writeString(value.toString());
        }
    }
}
