package io.cordwood.search.api;

import io.cordwood.search.http.RequestFields;
import java.io.IOException;

/** One kind of question about a stream. Thread-safe. */
interface Operation {
    /** Reads the question from the request's fields, before anything is looked up. */
    Answer prepare(RequestFields fields);

    /** A question that is ready to be asked. */
    @FunctionalInterface
    interface Answer {
        /**
         * Answers the question.
         *
         * @throws IOException if the client has gone
         */
        void write(Asked asked, Output output) throws IOException;
    }
}
