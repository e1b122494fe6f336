package io.cordwood.search.api;

import io.cordwood.catalog.access.Caller;
import io.cordwood.search.http.Client;
import java.util.Optional;

/**
 * A request that has come, from a caller who is known. Immutable.
 *
 * @param caller who sent it
 * @param authorization the header by which the caller is known, and is checked again during long answers
 * @param client where the answer goes
 * @param begun when it came, by {@link System#nanoTime}
 */
public record Arrival(Caller caller, Optional<String> authorization, Client client, long begun) {}
