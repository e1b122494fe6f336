package io.cordwood.gateway.pipeline;

/** Changes a row. Thread-safe. */
interface RowStep {
    /** A longer text is not looked at. */
    int MAX_CHARACTERS = 64 << 10;

    /** What came of a row. */
    enum Outcome {
        /** It goes on. */
        DONE,
        /** It goes on as it was, as its text has another form. */
        UNPARSED,
        /** It is left out. */
        DROPPED
    }

    /**
     * Changes a row.
     *
     * @param seed the same for the same row of the same request, so that one that is sent again keeps the same rows
     */
    Outcome apply(Row row, long seed);

    /** Whether it can make a row larger. */
    default boolean adds() {
        return false;
    }
}
