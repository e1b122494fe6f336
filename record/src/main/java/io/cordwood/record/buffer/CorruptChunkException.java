package io.cordwood.record.buffer;

/** Thrown for bytes that are no chunk of {@link RowBuffer}, and for chunks that are damaged or of a newer version. */
public final class CorruptChunkException extends RuntimeException {
    private static final long serialVersionUID = 1;

    CorruptChunkException(String message) {
        super(message);
    }

    CorruptChunkException(String message, Throwable cause) {
        super(message, cause);
    }
}
