package io.cordwood.catalog.protocol;

import java.util.Optional;

/**
 * The reply to one of several requests for tables. Immutable.
 *
 * @param ensured the table or floor; empty if the request failed
 * @param failure reason of the failure; empty if there was none
 */
public record TableReply(Optional<EnsuredTable> ensured, String failure) {
    /** A reply to a successful request. */
    public static TableReply of(EnsuredTable ensured) {
        return new TableReply(Optional.of(ensured), "");
    }

    /** A reply to a failed request; other requests may have succeeded. */
    public static TableReply failed(String why) {
        return new TableReply(Optional.empty(), why);
    }
}
