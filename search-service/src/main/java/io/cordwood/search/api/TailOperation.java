package io.cordwood.search.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.query.search.LiveTails;
import io.cordwood.query.search.Tail;
import io.cordwood.query.search.TailRows;
import io.cordwood.search.access.NotAuthenticatedException;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.RequestFields;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * {@code tail}: rows as they arrive, as server-sent events. An event {@code rows} has one row a line; {@code dropped}
 * says how many rows were dropped for a client that is too slow, {@code skipped} how many records Kafka removed unread,
 * {@code trouble} why no rows come now, and {@code end} why there will be none.
 */
final class TailOperation implements Operation {
    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final int MAX_TAILS = 4_000;

    private final LiveTails tails;
    private final ApiMetrics metrics;
    private final AtomicInteger open = new AtomicInteger();

    TailOperation(LiveTails tails, ApiMetrics metrics) {
        this.tails = tails;
        this.metrics = metrics;
    }

    @Override
    public Answer prepare(RequestFields fields) {
        Condition condition = Condition.of(fields);
        fields.requireNoOthers();
        return (asked, output) -> {
            if (open.incrementAndGet() > MAX_TAILS) {
                open.decrementAndGet();
                throw new ApiException(429, "too_many_requests", "Too many tails are open: try again later");
            }
            try (Tail tail =
                    tails.follow(asked.table().tenantId(), asked.table().stream(), condition.filter(asked.table()))) {
                metrics.tails(open.get());
                write(tail, asked, output);
            } finally {
                metrics.tails(open.decrementAndGet());
            }
        };
    }

    private static void write(Tail tail, Asked asked, Output output) throws IOException {
        try (JsonGenerator json = output.json("text/event-stream; charset=utf-8")) {
            // Also tells whether the client is still there
            json.writeRaw(": following\n\n");
            json.flush();
            while (mayStill(asked)) {
                List<TailRows> received = tail.take(WAIT);
                for (TailRows rows : received) {
                    write(json, rows, asked);
                }
                if (received.isEmpty()) {
                    if (tail.trouble().isPresent()) {
                        event(json, "trouble", "message", tail.trouble().get());
                    } else {
                        json.writeRaw(": none\n\n");
                    }
                }
                json.flush();
            }
            event(json, "end", "message", "The token has ended, or the grant was revoked");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean mayStill(Asked asked) {
        try {
            return asked.mayStill().getAsBoolean();
        } catch (NotAuthenticatedException e) {
            return false;
        }
    }

    private static void write(JsonGenerator json, TailRows rows, Asked asked) throws IOException {
        if (rows.dropped() > 0) {
            event(json, "dropped", "rows", Long.toString(rows.dropped()));
        }
        if (rows.skipped() > 0) {
            event(json, "skipped", "records", Long.toString(rows.skipped()));
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
