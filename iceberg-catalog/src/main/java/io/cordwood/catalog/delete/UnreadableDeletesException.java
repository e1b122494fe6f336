package io.cordwood.catalog.delete;

/**
 * A table has a delete file that cannot be applied. The message names the file and the reason. Reading on would show
 * deleted rows.
 */
public final class UnreadableDeletesException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnreadableDeletesException(String location, String problem) {
        this(location, problem, null);
    }

    UnreadableDeletesException(String location, String problem, Throwable cause) {
        super("The delete file %s %s".formatted(location, problem), cause);
    }
}
