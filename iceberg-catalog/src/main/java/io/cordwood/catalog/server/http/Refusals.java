package io.cordwood.catalog.server.http;

/** Learns of refused requests. Thread-safe. */
@FunctionalInterface
public interface Refusals {
    /** Forgets them. */
    Refusals NONE = (user, route, client, reason) -> {};

    /**
     * Records a request that was refused with status 401 or 403.
     *
     * @param user the user; empty if the request had no valid token
     * @param route what it asked for
     * @param client address that it came from
     * @param reason text of the response
     */
    void refused(String user, String route, String client, String reason);
}
