package io.cordwood.gateway.loki;

import io.cordwood.gateway.door.Door;
import io.cordwood.gateway.door.Intake;
import io.cordwood.gateway.door.Visit;
import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.gateway.row.RejectedRows;
import io.cordwood.http.Reply;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * {@code POST /loki/api/v1/push}: what clients push to Loki, in protobuf packed with Snappy, or in JSON. Thread-safe.
 */
public final class LokiDoor implements Door {
    private static final Set<String> PATHS = Set.of("/loki/api/v1/push", "/api/prom/push");
    private static final String DEFAULT_STREAM = "logs";
    /** Rows have the labels of their stream, so they are larger than the request. */
    private static final int MAX_GROWTH = 2;

    @Override
    public String name() {
        return "loki";
    }

    @Override
    public boolean isAt(String path) {
        return PATHS.contains(path);
    }

    @Override
    public Reply answer(Visit visit) throws IOException, InterruptedException {
        visit.requireMethod("POST");
        Intake.Delivery delivery = visit.begin();
        String stream = visit.header("X-Cordwood-Stream").orElse(DEFAULT_STREAM);
        delivery.requireStream(stream);
        PushedRows rows = new PushedRows((long) MAX_GROWTH * delivery.maxBytes(), delivery.memory());
        switch (visit.mediaType()) {
            case "application/json" -> new JsonPush(visit.body(delivery), rows).read();
            // Loki takes it for protobuf where clients do not say
            case "", "application/x-protobuf" -> {
                // Some clients say it, others do not; either way it is packed
                boolean saysSnappy = visit.header("Content-Encoding").equals(Optional.of("snappy"));
                byte[] packed = saysSnappy ? visit.packedBody(delivery) : visit.body(delivery);
                byte[] body = SnappyBlock.unpack(packed, delivery.maxBytes(), delivery::grow);
                new ProtobufPush(body, rows).read();
            }
            default ->
                throw new RefusedException(
                        Reason.UNSUPPORTED,
                        "Content-Type '%s' is not known: use application/x-protobuf or application/json"
                                .formatted(visit.mediaType()));
        }
        RejectedRows rejected = rows.rejected();
        delivery.ship(Map.of(stream, rows.finish()), rejected.count());
        return rejected.count() == 0 ? Reply.noContent() : Reply.plain(400, message(rejected));
    }

    /** Loki, too, keeps the good entries of a request that it answers so. */
    private static String message(RejectedRows rejected) {
        StringBuilder message =
                new StringBuilder("%d entries were not taken, all others were:\n".formatted(rejected.count()));
        rejected.first().forEach(row -> message.append("entry %d: %s\n".formatted(row.number(), row.why())));
        return message.toString();
    }

    @Override
    public Reply refuse(RefusedException refusal, Visit visit) {
        return Reply.plain(refusal.reason().status(), refusal.getMessage() + "\n");
    }
}
