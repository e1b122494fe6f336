package io.cordwood.standalone.secret;

import static java.util.Objects.requireNonNull;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.home.Endpoints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * As whom a command acts on a stack. Immutable.
 *
 * @param secrets the secrets of the stack, as far as this user may read them; absent: it has no authentication
 * @param token the token to send, as it was when the command began; empty if the stack has no authentication
 * @param tokenFile where the token is, so that it may be replaced while the command runs; absent: it is in no file
 */
public record Login(Optional<Secrets> secrets, String token, Optional<Path> tokenFile) {
    private static final String VARIABLE = "CORDWOOD_TOKEN";
    /** What RFC 6750 lets stand in a header after {@code Bearer}. */
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]+=*");

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
            return new Login(Optional.of(secrets), checked(variable, VARIABLE), Optional.empty());
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
            String token = Files.readString(file);
            if (token.isBlank()) {
                throw new IOException("it is empty");
            }
            return checked(token, file.toString());
        } catch (IOException e) {
            throw new CordwoodException(
                    "the stack asks for a token: give --token-file FILE or %s (cannot read %s: %s)"
                            .formatted(VARIABLE, file, Errors.text(e)),
                    e);
        }
    }

    /** A client would name the whole token in its error message, or send a part of it. */
    private static String checked(String token, String place) {
        String stripped = token.strip();
        if (!TOKEN.matcher(stripped).matches()) {
            throw new CordwoodException(
                    "%s is not a token: a token is one line without spaces, as `token create` prints it"
                            .formatted(place));
        }
        return stripped;
    }

    /** The token stays out of messages. */
    @Override
    public String toString() {
        return "Login[secrets=%s]".formatted(secrets);
    }
}
