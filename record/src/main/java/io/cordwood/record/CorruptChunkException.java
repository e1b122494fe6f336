package io.cordwood.record;

/** Bytes that are not a chunk of {@link RowBuffer}, or are one that was damaged or written by a newer version. */
public final class CorruptChunkException extends RuntimeException {
    private static final long serialVersionUID = 1;

    CorruptChunkException(String message) {
        super(message);
    }

    CorruptChunkException(String message, Throwable cause) {
        super(message, cause);
    }
}
