package io.cordwood.compaction;

/** Compaction cannot continue. The message says in one line why, and how to fix it. */
public class CompactionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public CompactionException(String message, Throwable cause) {
        super(message, cause);
    }
}
