package io.cordwood.gateway.plain;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.gateway.door.Door;
import io.cordwood.gateway.door.Intake;
import io.cordwood.gateway.door.JsonReply;
import io.cordwood.gateway.door.Visit;
import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.row.RejectedRows;
import io.cordwood.gateway.send.LineBatches;
import io.cordwood.gateway.send.Payload;
import io.cordwood.http.Reply;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * {@code POST /api/v1/ingest/STREAM}: JSON objects, one a line or in an array, or lines of text. It answers how many
 * rows Kafka has acknowledged, and which were malformed. Thread-safe.
 */
public final class PlainDoor implements Door {
    private static final String PATH = "/api/v1/ingest";
    private static final String DEFAULT_STREAM = "logs";
    private static final int STREAM_SEGMENT = 3;

    @Override
    public String name() {
        return "plain";
    }

    @Override
    public boolean isAt(String path) {
        return path.equals(PATH) || path.startsWith(PATH + "/");
    }

    @Override
    public Reply answer(Visit visit) throws IOException, InterruptedException {
        visit.requireMethod("POST", "PUT");
        List<String> segments = visit.segments();
        String stream = segments.size() > STREAM_SEGMENT
                        && !segments.get(STREAM_SEGMENT).isEmpty()
                ? String.join("/", segments.subList(STREAM_SEGMENT, segments.size()))
                : DEFAULT_STREAM;
        Intake.Delivery delivery = visit.begin(visit.parameter("tenant"));
        delivery.requireStream(stream);
        LineBatches rows = new LineBatches(delivery.memory());
        RejectedRows rejected = new RejectedRows();
        new PlainBody(visit.body(delivery), rows, rejected).read(visit.mediaType());
        List<Payload> payloads = rows.finish();
        delivery.ship(Map.of(stream, payloads), rejected.count());
        long accepted = payloads.stream().mapToLong(Payload::rows).sum();
        return JsonReply.object(accepted == 0 && rejected.count() > 0 ? 400 : 200, json -> {
            json.writeNumberField("rows", accepted);
            json.writeNumberField("rejected", rejected.count());
            if (rejected.count() > 0) {
                writeErrors(json, rejected);
            }
        });
    }

    private static void writeErrors(JsonGenerator json, RejectedRows rejected) throws IOException {
        json.writeArrayFieldStart("errors");
        for (RejectedRows.RejectedRow row : rejected.first()) {
            json.writeStartObject();
            json.writeNumberField("row", row.number());
            json.writeStringField("message", row.why());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    @Override
    public Reply refuse(RefusedException refusal, Visit visit) {
        return JsonReply.object(refusal.reason().status(), json -> {
            json.writeObjectFieldStart("error");
            json.writeStringField("code", refusal.reason().name().toLowerCase(Locale.ROOT));
            json.writeStringField("message", refusal.getMessage());
            json.writeEndObject();
        });
    }
}
