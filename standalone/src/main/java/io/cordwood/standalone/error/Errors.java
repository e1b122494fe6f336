package io.cordwood.standalone.error;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/** Readable messages for exceptions whose own message is not enough. */
public final class Errors {
    private Errors() {}

    /** A one-line description of the error. */
    public static String text(Throwable error) {
        String message = error.getMessage() == null
                ? ""
                : error.getMessage().lines().findFirst().orElse("");
        return switch (error) {
            case NoSuchFileException e -> "no such file: " + message;
            case AccessDeniedException e -> "no permission: " + message;
            case FileAlreadyExistsException e -> "the file already exists: " + message;
            default -> message.isEmpty() ? error.getClass().getSimpleName() : message;
        };
    }
}
