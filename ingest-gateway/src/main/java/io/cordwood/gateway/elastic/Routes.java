package io.cordwood.gateway.elastic;

import io.cordwood.gateway.elastic.Additions.Addition;
import io.cordwood.gateway.refusal.RefusedException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Finds the stream of an index. Remembers what it found, for one request. Not thread-safe. */
final class Routes {
    private static final String DEFAULT_STREAM = "logs";
    /** Types of Elastic's own data streams, which are such also where there is no stream of the name. */
    private static final Set<String> TYPES = Set.of("logs", "metrics", "traces", "synthetics", "profiling");

    private static final int MAX_NAME_BYTES = 255;

    private final Predicate<String> isStream;
    private final Consumer<String> permission;
    private final Map<String, Route> routes = new HashMap<>();

    /**
     * Where the documents of an index go.
     *
     * @param stream name of the stream
     * @param additions members that tell of the index
     * @param refusal why they go nowhere
     */
    record Route(String stream, Additions additions, Optional<ItemError> refusal) {}

    /**
     * @param isStream whether there is a stream of a name
     * @param permission throws a {@link RefusedException} if the sender may not write to a stream
     */
    Routes(Predicate<String> isStream, Consumer<String> permission) {
        this.isStream = isStream;
        this.permission = permission;
    }

    Route of(String index) {
        return routes.computeIfAbsent(index, this::find);
    }

    private Route find(String index) {
        if (index.isEmpty() || index.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES) {
            return new Route(
                    DEFAULT_STREAM,
                    Additions.NONE,
                    Optional.of(new ItemError(
                            400,
                            "invalid_index_name_exception",
                            "Invalid index name: a name has 1 to %d bytes".formatted(MAX_NAME_BYTES))));
        }
        Route route = isStream.test(index) ? new Route(index, Additions.NONE, Optional.empty()) : byName(index);
        try {
            permission.accept(route.stream());
            return route;
        } catch (RefusedException e) {
            return new Route(route.stream(), route.additions(), Optional.of(ItemError.of(e)));
        }
    }

    private Route byName(String index) {
        String[] parts = index.split("-", 3);
        if (parts.length == 3 && (isStream.test(parts[0]) || TYPES.contains(parts[0]))) {
            return new Route(
                    isStream.test(parts[0]) ? parts[0] : DEFAULT_STREAM,
                    new Additions(List.of(
                            Addition.of("data_stream.type", parts[0]),
                            Addition.of("data_stream.dataset", parts[1]),
                            Addition.of("data_stream.namespace", parts[2]))),
                    Optional.empty());
        }
        return new Route(DEFAULT_STREAM, new Additions(List.of(Addition.of("index", index))), Optional.empty());
    }
}
