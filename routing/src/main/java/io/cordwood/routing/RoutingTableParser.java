package io.cordwood.routing;

/**
 * The JSON form of a {@link RoutingTable}, as it stands in Redis and is served over HTTP.
 *
 * <p>{@code {"version": 7, "stream": "logs", "routes": {"acme": [{"partition": 3, "weight": 1.0}]}}}
 */
public final class RoutingTableParser {
    private RoutingTableParser() {}

    public static String toJson(RoutingTable table) {
        throw new UnsupportedOperationException();
    }

    /**
     * Reads a table; members it does not know are ignored.
     *
     * @throws IllegalArgumentException if the text is not a routing table; the message says where
     */
    public static RoutingTable fromJson(String json) {
        throw new UnsupportedOperationException();
    }
}
