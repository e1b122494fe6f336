package io.cordwood.trino;

import io.trino.spi.TrinoException;
import java.io.IOException;

/** What users are told when an object cannot be read, be it missing, cut off or damaged. Stateless. */
final class ReadFailures {
    private ReadFailures() {}

    /**
     * The failure as the engine shows it; what says enough already is left as it is.
     *
     * @param what could not be done to which object
     */
    static TrinoException of(CordwoodErrorCode code, String what, Exception failure) {
        if (failure instanceof TrinoException known) {
            return known;
        }
        String why = failure instanceof IOException && failure.getMessage() != null
                ? failure.getMessage()
                : failure.toString();
        return new TrinoException(code, what + ": " + why, failure);
    }
}
