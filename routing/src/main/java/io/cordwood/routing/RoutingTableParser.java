package io.cordwood.routing;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The JSON form of a {@link RoutingTable}, in Redis and over HTTP. Thread-safe.
 *
 * <p>{@code {"version": 7, "stream": "logs", "routes": {"acme": [{"partition": 3, "weight": 1.0}]}}}
 */
public final class RoutingTableParser {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String EPOCH = "epoch";
    private static final String VERSION = "version";
    private static final String STREAM = "stream";
    private static final String ROUTES = "routes";
    private static final String PARTITION = "partition";
    private static final String WEIGHT = "weight";

    private RoutingTableParser() {}

    public static String toJson(RoutingTable table) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            if (!table.epoch().isEmpty()) {
                json.writeStringField(EPOCH, table.epoch());
            }
            json.writeNumberField(VERSION, table.version());
            json.writeStringField(STREAM, table.stream());
            json.writeObjectFieldStart(ROUTES);
            for (Map.Entry<String, List<Route>> tenant : table.routes().entrySet()) {
                json.writeArrayFieldStart(tenant.getKey());
                for (Route route : tenant.getValue()) {
                    json.writeStartObject();
                    json.writeNumberField(PARTITION, route.partition());
                    json.writeNumberField(WEIGHT, route.weight());
                    json.writeEndObject();
                }
                json.writeEndArray();
            }
            json.writeEndObject();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /**
     * Parses a table; ignores unknown members.
     *
     * @throws IllegalArgumentException if the text is not a routing table; the message says what is wrong
     */
    public static RoutingTable fromJson(String json) {
        try (JsonParser parser = JSON.createParser(json)) {
            parser.nextToken();
            RoutingTable table = table(parser);
            if (parser.nextToken() != null) {
                throw malformed("there is text after it", parser);
            }
            return table;
        } catch (IOException e) {
            throw new IllegalArgumentException("Not a routing table: " + e.getMessage(), e);
        }
    }

    private static RoutingTable table(JsonParser parser) throws IOException {
        expect(JsonToken.START_OBJECT, parser);
        String epoch = "";
        Long version = null;
        String stream = null;
        Map<String, List<Route>> routes = null;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            switch (name) {
                case EPOCH -> {
                    expect(JsonToken.VALUE_STRING, parser);
                    epoch = parser.getText();
                }
                case VERSION -> {
                    expect(JsonToken.VALUE_NUMBER_INT, parser);
                    version = parser.getLongValue();
                }
                case STREAM -> {
                    expect(JsonToken.VALUE_STRING, parser);
                    stream = parser.getText();
                }
                case ROUTES -> routes = tenants(parser);
                default -> parser.skipChildren();
            }
        }
        if (version == null || stream == null || routes == null) {
            throw malformed("it lacks version, stream or routes", parser);
        }
        return new RoutingTable(epoch, version, stream, routes);
    }

    private static Map<String, List<Route>> tenants(JsonParser parser) throws IOException {
        expect(JsonToken.START_OBJECT, parser);
        Map<String, List<Route>> tenants = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String tenant = parser.currentName();
            parser.nextToken();
            expect(JsonToken.START_ARRAY, parser);
            List<Route> routes = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                routes.add(route(parser));
            }
            if (tenants.put(tenant, routes) != null) {
                throw malformed("tenant '" + tenant + "' occurs twice", parser);
            }
        }
        return tenants;
    }

    private static Route route(JsonParser parser) throws IOException {
        expect(JsonToken.START_OBJECT, parser);
        Integer partition = null;
        Double weight = null;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            switch (name) {
                case PARTITION -> {
                    expect(JsonToken.VALUE_NUMBER_INT, parser);
                    partition = parser.getIntValue();
                }
                case WEIGHT -> {
                    if (!parser.currentToken().isNumeric()) {
                        throw malformed("a weight is not a number", parser);
                    }
                    weight = parser.getDoubleValue();
                }
                default -> parser.skipChildren();
            }
        }
        if (partition == null || weight == null) {
            throw malformed("a route lacks partition or weight", parser);
        }
        return new Route(partition, weight);
    }

    private static void expect(JsonToken token, JsonParser parser) {
        if (parser.currentToken() != token) {
            throw malformed("expected %s, found %s".formatted(token, parser.currentToken()), parser);
        }
    }

    private static IllegalArgumentException malformed(String what, JsonParser parser) {
        return new IllegalArgumentException("Not a routing table: %s, at character %d"
                .formatted(what, parser.currentTokenLocation().getCharOffset()));
    }
}
