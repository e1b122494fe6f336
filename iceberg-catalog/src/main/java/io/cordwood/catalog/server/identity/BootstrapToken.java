package io.cordwood.catalog.server.identity;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import org.apache.iceberg.exceptions.NotAuthorizedException;

/** The secret that makes the first operator. Immutable and thread-safe. */
public final class BootstrapToken {
    /** A shorter one could be guessed. */
    private static final int MIN_LENGTH = 20;

    private final byte[] secret;

    private BootstrapToken(byte[] secret) {
        this.secret = requireNonNull(secret, "secret is null");
    }

    /**
     * Reads the secret of a file.
     *
     * @throws IOException if the file cannot be read
     * @throws IllegalArgumentException if the secret is too short
     */
    public static BootstrapToken read(Path file) throws IOException {
        String secret = Files.readString(file).strip();
        if (secret.length() < MIN_LENGTH) {
            throw new IllegalArgumentException(
                    "The bootstrap token in %s is shorter than %d characters".formatted(file, MIN_LENGTH));
        }
        return new BootstrapToken(secret.getBytes(StandardCharsets.UTF_8));
    }

    /** @throws NotAuthorizedException if this is another secret */
    void check(String candidate) {
        if (!MessageDigest.isEqual(secret, candidate.getBytes(StandardCharsets.UTF_8))) {
            throw new NotAuthorizedException("This is not the bootstrap token");
        }
    }
}
