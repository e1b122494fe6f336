package io.cordwood.search.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.query.search.LiveTails;
import io.cordwood.query.search.Tail;
import io.cordwood.query.search.TailRows;
import io.cordwood.search.http.RequestFields;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * {@code tail}: rows as they arrive, as server-sent events. An event {@code rows} has one row a line; {@code dropped}
 * says how many rows were dropped for a client that is too slow, {@code skipped} how many records Kafka removed unread,
 * {@code trouble} why no rows come now, and {@code end} why there will be none.
 */
final class TailOperation implements Operation {
    static final String EVENTS = "text/event-stream";

    private static final Duration WAIT = Duration.ofSeconds(1);

    private final LiveTails tails;
    private final ApiMetrics metrics;
    private final OpenTails open;

    TailOperation(LiveTails tails, OpenTails open, ApiMetrics metrics) {
        this.tails = tails;
        this.open = open;
        this.metrics = metrics;
    }

    @Override
    public Answer prepare(RequestFields fields) {
        Condition condition = Condition.of(fields);
        fields.requireNoOthers();
        return (asked, output) -> {
            try (OpenTails.Slot _ = open.enter(asked.caller(), asked.table().tenantId());
                    Tail tail = tails.follow(
                            asked.table().tenantId(), asked.table().stream(), condition.filter(asked.table()))) {
                metrics.tails(open.count());
                write(tail, asked, output);
            } finally {
                metrics.tails(open.count());
            }
        };
    }

    private static void write(Tail tail, Asked asked, Output output) throws IOException {
        try (JsonGenerator json = output.json(EVENTS + "; charset=utf-8")) {
            // Also tells whether the client is still there
            json.writeRaw(": following\n\n");
            json.flush();
            ReadAccess access = new ReadAccess(asked.mayStill());
            while (true) {
                ReadAccess.State state = access.check();
                if (state == ReadAccess.State.DENIED) {
                    event(
                            json,
                            "end",
                            "message",
                            "The token has ended, the grant was revoked, or it cannot be checked");
                    return;
                }
                if (state == ReadAccess.State.UNKNOWN) {
                    event(json, "trouble", "message", "The catalog service does not answer");
                }
                List<TailRows> received = tail.take(WAIT);
                for (TailRows rows : received) {
                    write(json, rows, asked);
                }
                if (received.isEmpty()) {
                    if (tail.trouble().isPresent()) {
                        event(json, "trouble", "message", message(tail.trouble().get()));
                    } else {
                        json.writeRaw(": none\n\n");
                    }
                }
                json.flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String message(Tail.Trouble trouble) {
        return switch (trouble) {
            case UNAVAILABLE -> "Kafka or the catalog service does not answer; trying on";
            case NO_TOPIC -> "The stream has no topic now; waiting for it";
            case UNREADABLE -> "Rows cannot be read; the service's log says why";
        };
    }

    private static void write(JsonGenerator json, TailRows rows, Asked asked) throws IOException {
        if (rows.dropped() > 0) {
            event(json, "dropped", "rows", Long.toString(rows.dropped()));
        }
        if (rows.skipped() > 0) {
            // How many tells a tenant what others send
            event(json, "skipped", "records", asked.caller().isOperator() ? Long.toString(rows.skipped()) : "some");
        }
        if (rows.rows().size() == 0) {
            return;
        }
        json.writeRaw("event: rows\n");
        new RowWriter(json, rows.columns(), asked.cursors(), "data: ").write(rows.rows());
        json.writeRaw('\n');
    }

    private static void event(JsonGenerator json, String name, String field, String value) throws IOException {
        json.writeRaw("event: " + name + "\ndata: ");
        json.writeStartObject();
        json.writeStringField(field, value);
        json.writeEndObject();
        json.writeRaw("\n\n");
    }
}
