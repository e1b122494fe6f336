package io.cordwood.ingest.runtime;

/** Thrown if the job cannot continue. The message says in one line what was wrong, where, and what to do. */
public class IngestException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public IngestException(String message) {
        super(message);
    }

    public IngestException(String message, Throwable cause) {
        super(message, cause);
    }
}
