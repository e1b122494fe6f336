package io.cordwood.compaction;

/** Compaction cannot go on: the message says in one line why and what to do. */
public class CompactionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public CompactionException(String message, Throwable cause) {
        super(message, cause);
    }
}
