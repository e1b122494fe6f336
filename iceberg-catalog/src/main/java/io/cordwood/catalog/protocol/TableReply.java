package io.cordwood.catalog.protocol;

import java.util.Optional;

/**
 * What became of one request for a table among several. Immutable.
 *
 * @param ensured the table, or that there is none for such rows; empty if the request failed
 * @param failure why it failed; empty if it did not
 */
public record TableReply(Optional<EnsuredTable> ensured, String failure) {
    /** The request was answered. */
    public static TableReply of(EnsuredTable ensured) {
        return new TableReply(Optional.of(ensured), "");
    }

    /** The request failed, which the others need not have. */
    public static TableReply failed(String why) {
        return new TableReply(Optional.empty(), why);
    }
}
