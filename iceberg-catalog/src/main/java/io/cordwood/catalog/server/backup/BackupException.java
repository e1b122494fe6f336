package io.cordwood.catalog.server.backup;

/** A backup or a restoration that cannot be done. Its message says why and what to do. */
final class BackupException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BackupException(String message) {
        super(message);
    }

    BackupException(String message, Throwable cause) {
        super(message, cause);
    }
}
