package io.cordwood.trino;

import com.google.inject.Inject;
import io.cordwood.query.QueryEngine;
import jakarta.annotation.PreDestroy;
import java.io.IOException;

/** Closes the query engine when the connector or the server shuts down. */
final class EngineLifecycle {
    private final QueryEngine engine;

    @Inject
    EngineLifecycle(QueryEngine engine) {
        this.engine = engine;
    }

    @PreDestroy
    void close() throws IOException {
        engine.close();
    }
}
