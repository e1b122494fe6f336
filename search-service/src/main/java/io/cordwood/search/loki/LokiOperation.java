package io.cordwood.search.loki;

import io.cordwood.search.api.Output;
import java.io.IOException;

/** One path of the API. Thread-safe. */
@FunctionalInterface
interface LokiOperation {
    /**
     * Answers a question.
     *
     * @throws IOException if the client has gone
     */
    void answer(LokiQuestion question, Output output) throws IOException;
}
