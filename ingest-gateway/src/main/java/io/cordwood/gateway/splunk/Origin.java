package io.cordwood.gateway.splunk;

import java.util.Optional;

/**
 * What a request says in its query of all events that do not say it themselves. Immutable.
 *
 * @param host the column {@code host}, and so on
 * @param index a stream, or else a column
 */
record Origin(Optional<String> host, Optional<String> source, Optional<String> sourcetype, Optional<String> index) {
    static final Origin NONE = new Origin(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
}
