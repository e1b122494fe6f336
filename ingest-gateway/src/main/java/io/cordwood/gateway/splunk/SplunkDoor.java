package io.cordwood.gateway.splunk;

import io.cordwood.gateway.door.Door;
import io.cordwood.gateway.door.Intake;
import io.cordwood.gateway.door.JsonReply;
import io.cordwood.gateway.door.Visit;
import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.gateway.splunk.HecEvents.BadEvent;
import io.cordwood.http.Reply;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Splunk's HTTP Event Collector, {@code /services/collector}: events, raw lines, health and acknowledgements.
 * Thread-safe.
 */
public final class SplunkDoor implements Door {
    private static final String PATH = "/services/collector";
    private static final String CHANNEL = "X-Splunk-Request-Channel";
    private static final int MAX_CHANNEL_LENGTH = 128;

    private final AckChannels channels = new AckChannels();

    @Override
    public String name() {
        return "splunk";
    }

    @Override
    public boolean isAt(String path) {
        return path.equals(PATH) || path.startsWith(PATH + "/");
    }

    @Override
    public Reply answer(Visit visit) throws IOException, InterruptedException {
        List<String> segments = visit.segments();
        String below = String.join("/", segments.subList(2, segments.size()));
        return switch (below) {
            case "", "event", "event/1.0" -> rows(visit, false);
            case "raw", "raw/1.0" -> rows(visit, true);
            case "ack" -> acknowledgements(visit);
            case "health", "health/1.0" -> {
                visit.requireMethod("GET", "HEAD");
                yield reply(HecStatus.HEALTHY, Map.of());
            }
            default -> throw new RefusedException(Reason.NOT_FOUND, "There is no path " + below + " of the collector");
        };
    }

    private Reply rows(Visit visit, boolean isRaw) throws IOException, InterruptedException {
        visit.requireMethod("POST");
        Optional<String> channel = channel(visit);
        if (isInQuery(visit)) {
            return reply(HecStatus.TOKEN_IN_QUERY, Map.of());
        }
        if (channel.isPresent() && !isChannel(channel.get())) {
            return reply(HecStatus.INVALID_CHANNEL, Map.of());
        }
        Intake.Delivery delivery = begin(visit);
        byte[] body = visit.body(delivery);
        HecRows rows = new HecRows(body.length, visit::hasStream, delivery::requireStream, delivery.memory());
        Optional<BadEvent> bad = Optional.empty();
        if (isRaw) {
            new RawLines(rows, origin(visit)).read(body);
        } else {
            bad = new HecEvents(body, rows, origin(visit)).read();
        }
        if (!rows.isEmpty() || bad.isPresent()) {
            delivery.ship(rows.payloads(), bad.isPresent() ? 1 : 0);
        }
        if (bad.isPresent()) {
            return reply(bad.get().status(), Map.of("invalid-event-number", (long)
                    bad.get().number()));
        }
        if (rows.isEmpty()) {
            return reply(HecStatus.NO_DATA, Map.of());
        }
        return reply(
                HecStatus.SUCCESS,
                channel.map(name -> Map.of("ackId", channels.next(delivery.tenant(), name)))
                        .orElse(Map.of()));
    }

    private Reply acknowledgements(Visit visit) throws IOException {
        visit.requireMethod("POST");
        Optional<String> channel = channel(visit);
        if (isInQuery(visit)) {
            return reply(HecStatus.TOKEN_IN_QUERY, Map.of());
        }
        if (channel.isEmpty()) {
            return reply(HecStatus.CHANNEL_MISSING, Map.of());
        }
        Intake.Delivery delivery = begin(visit);
        Map<Long, Boolean> acks = new TreeMap<>();
        for (long id : HecAcks.ids(visit.body(delivery))) {
            acks.put(id, channels.isGiven(delivery.tenant(), channel.get(), id));
        }
        return JsonReply.object(200, json -> {
            json.writeObjectFieldStart("acks");
            for (Map.Entry<Long, Boolean> ack : acks.entrySet()) {
                json.writeBooleanField(ack.getKey().toString(), ack.getValue());
            }
            json.writeEndObject();
        });
    }

    /** A token in an address would be in the logs of every proxy. */
    private static boolean isInQuery(Visit visit) {
        return visit.parameter("token").isPresent();
    }

    private static Optional<String> channel(Visit visit) {
        return visit.header(CHANNEL).or(() -> visit.parameter("channel")).filter(channel -> !channel.isEmpty());
    }

    private static boolean isChannel(String channel) {
        return channel.length() <= MAX_CHANNEL_LENGTH;
    }

    private static Origin origin(Visit visit) {
        return new Origin(
                visit.parameter("host"),
                visit.parameter("source"),
                visit.parameter("sourcetype"),
                visit.parameter("index"));
    }

    /** Splunk tells a token that is missing from one that is not good. */
    private static Intake.Delivery begin(Visit visit) {
        try {
            return visit.begin();
        } catch (RefusedException e) {
            if (e.reason() == Reason.UNAUTHENTICATED
                    && (visit.header("Authorization").isPresent()
                            || visit.header("X-API-Key").isPresent())) {
                throw new RefusedException(Reason.FORBIDDEN, e.getMessage());
            }
            throw e;
        }
    }

    private static Reply reply(HecStatus status, Map<String, Long> more) {
        return JsonReply.object(status.http(), json -> {
            json.writeStringField("text", status.text());
            json.writeNumberField("code", status.code());
            for (Map.Entry<String, Long> each : more.entrySet()) {
                json.writeNumberField(each.getKey(), each.getValue());
            }
        });
    }

    @Override
    public Reply refuse(RefusedException refusal, Visit visit) {
        HecStatus status = HecStatus.of(refusal);
        return JsonReply.object(status.http(), json -> {
            json.writeStringField("text", status.text());
            json.writeNumberField("code", status.code());
            json.writeStringField("reason", refusal.getMessage());
        });
    }
}
