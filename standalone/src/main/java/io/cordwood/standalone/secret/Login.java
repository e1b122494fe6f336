package io.cordwood.standalone.secret;

import static java.util.Objects.requireNonNull;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.home.Endpoints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * As whom a command acts on a stack. Immutable.
 *
 * @param secrets the secrets of the stack, as far as this user may read them; absent: it has no authentication
 * @param token the token to send, as it was when the command began; empty if the stack has no authentication
 * @param tokenFile where the token is, so that it may be replaced while the command runs; absent: it is in no file
 */
public record Login(Optional<Secrets> secrets, String token, Optional<Path> tokenFile) {
    private static final String VARIABLE = "CORDWOOD_TOKEN";

    public Login {
        requireNonNull(secrets, "secrets is null");
        requireNonNull(token, "token is null");
        requireNonNull(tokenFile, "tokenFile is null");
    }

    /** With the token of the file, else of the environment, else the operator's of the stack. */
    public static Login of(Endpoints endpoints, Optional<Path> tokenFile) {
        if (endpoints.ca().isEmpty()) {
            return open();
        }
        Secrets secrets = new Secrets(Path.of(endpoints.ca()).getParent());
        String variable = System.getenv(VARIABLE);
        if (tokenFile.isEmpty() && variable != null && !variable.isBlank()) {
            return new Login(Optional.of(secrets), variable.strip(), Optional.empty());
        }
        Path file = tokenFile.orElseGet(secrets::operatorToken);
        // A pipe is read once
        return new Login(Optional.of(secrets), read(file), Optional.of(file).filter(Files::isRegularFile));
    }

    /** To a stack without authentication. */
    public static Login open() {
        return new Login(Optional.empty(), "", Optional.empty());
    }

    /** The token as it is now. @throws CordwoodException if it cannot be read */
    public String currentToken() {
        return tokenFile.map(Login::read).orElse(token);
    }

    private static String read(Path file) {
        try {
            String token = Files.readString(file).strip();
            if (token.isEmpty()) {
                throw new IOException("it is empty");
            }
            return token;
        } catch (IOException e) {
            throw new CordwoodException(
                    "the stack asks for a token: give --token-file FILE or %s (cannot read %s: %s)"
                            .formatted(VARIABLE, file, Errors.text(e)),
                    e);
        }
    }

    /** The token stays out of messages. */
    @Override
    public String toString() {
        return "Login[secrets=%s]".formatted(secrets);
    }
}
