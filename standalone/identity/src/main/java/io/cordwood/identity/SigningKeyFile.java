package io.cordwood.identity;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;

/** The signing keys in a file, read again when it changes, so that they can be rotated under a running service.
 * Thread-safe. */
public final class SigningKeyFile implements Supplier<SigningKeys> {
    private final FileContent<SigningKeys> content;

    /**
     * Reads the file for the first time.
     *
     * @throws IOException if it cannot be read
     * @throws IllegalArgumentException as {@link SigningKeys#read}
     */
    public SigningKeyFile(Path file) throws IOException {
        content = new FileContent<>(file, SigningKeys::read);
    }

    /** The keys. After a change that cannot be read, those from before it. */
    @Override
    public SigningKeys get() {
        return content.get();
    }
}
