package io.cordwood.gateway.otlp;

import io.cordwood.gateway.row.RejectedRows;
import io.cordwood.gateway.send.Payload;
import java.util.List;
import java.util.Optional;

/**
 * A logs export request as it goes to Kafka. Immutable by convention.
 *
 * @param payloads the request, in parts if it is large; none if it has no log records
 * @param rejected its log records that are not among them
 */
record LogsRequest(List<Payload> payloads, RejectedRows rejected) {
    /** What is wrong, if some log records were left out. */
    Optional<String> message() {
        return rejected.count() == 0 ? Optional.empty() : Optional.of(message(rejected));
    }

    /** What is wrong with the first of them. */
    static String message(RejectedRows rejected) {
        RejectedRows.RejectedRow first = rejected.first().getFirst();
        return "Log record %d of the request: %s".formatted(first.number(), first.why());
    }
}
