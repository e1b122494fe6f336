package io.cordwood.standalone.error;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/** Words for exceptions whose message alone does not tell a person what happened. */
public final class Errors {
    private Errors() {}

    /** One line that says what went wrong. */
    public static String text(Throwable error) {
        String message = error.getMessage() == null
                ? ""
                : error.getMessage().lines().findFirst().orElse("");
        return switch (error) {
            case NoSuchFileException e -> "no such file: " + message;
            case AccessDeniedException e -> "no permission: " + message;
            case FileAlreadyExistsException e -> "there is a file of that name: " + message;
            default -> message.isEmpty() ? error.getClass().getSimpleName() : message;
        };
    }
}
