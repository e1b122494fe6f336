package io.cordwood.identity;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.function.Supplier;

/**
 * A token in a file, read again when the file changes, so that tokens can be rotated under a running service.
 * Thread-safe.
 */
public final class TokenFile implements Supplier<String> {
    private record Read(String token, FileTime modified) {}

    private final Path file;
    private volatile Read read = new Read("", FileTime.fromMillis(0));

    public TokenFile(Path file) {
        this.file = requireNonNull(file, "file is null");
    }

    /**
     * The token.
     *
     * @throws IllegalStateException if the file cannot be read or is empty
     */
    @Override
    public String get() {
        try {
            Read last = read;
            FileTime modified = Files.getLastModifiedTime(file);
            if (last.token().isEmpty() || !modified.equals(last.modified())) {
                last = new Read(Files.readString(file).strip(), modified);
                read = last;
            }
            if (last.token().isEmpty()) {
                throw new IllegalStateException("The token file %s is empty".formatted(file));
            }
            return last.token();
        } catch (IOException e) {
            throw new IllegalStateException("Cannot read the token file %s (%s)".formatted(file, e), e);
        }
    }
}
