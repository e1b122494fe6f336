package io.cordwood.standalone.secret;

import io.cordwood.identity.Audience;
import io.cordwood.identity.InvalidTokenException;
import io.cordwood.identity.SigningKeys;
import io.cordwood.identity.Token;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Optional;

/**
 * What may be told of a secret: all but the secret itself. Immutable.
 *
 * @param issued since when it is in use or valid
 * @param expires when it ends; empty if it does not
 * @param rotating whether a rotation of it has begun and is not complete
 */
public record SecretState(Instant issued, Optional<Instant> expires, boolean rotating) {
    /** The state of a secret. @throws IOException if its files cannot be read */
    public static SecretState of(Secrets secrets, SecretName name) throws IOException {
        return switch (name.kind()) {
            case TOKEN -> ofToken(secrets, secrets.token(name.subject()));
            case SIGNING_KEYS -> ofFile(secrets.signingKeys());
            case KAFKA_PASSWORD -> ofFile(secrets.passwordFile(name.account(), Server.KAFKA));
            case REDIS_PASSWORD -> ofFile(secrets.passwordFile(name.account(), Server.REDIS));
            case CERTIFICATE -> ofCertificate(secrets.certificate(name.subject()));
            case AUTHORITY ->
                of(
                        Authority.read(secrets.authorityKey()).certificate(),
                        isRotating(secrets.authorityKey()) || isRotating(secrets.authorities()));
            case SHARED_SECRET -> ofFile(secrets.sharedSecretFile());
            case CURSOR_KEY -> ofFile(secrets.cursorKey());
        };
    }

    private static SecretState ofFile(Path file) throws IOException {
        return new SecretState(Files.getLastModifiedTime(file).toInstant(), Optional.empty(), isRotating(file));
    }

    private static SecretState ofCertificate(Path file) throws IOException {
        return of(Authority.certificate(file), isRotating(file));
    }

    private static SecretState of(X509Certificate certificate, boolean rotating) {
        return new SecretState(
                certificate.getNotBefore().toInstant(),
                Optional.of(certificate.getNotAfter().toInstant()),
                rotating);
    }

    private static SecretState ofToken(Secrets secrets, Path file) throws IOException {
        try {
            Token token =
                    SigningKeys.read(secrets.signingKeys()).publicKeys().verify(Secrets.read(file), Audience.REQUESTS);
            return new SecretState(token.issued(), Optional.of(token.expires()), isRotating(file));
        } catch (InvalidTokenException e) {
            throw new IOException("%s: %s".formatted(file, e.getMessage()), e);
        }
    }

    private static boolean isRotating(Path file) {
        return Files.exists(Secrets.next(file)) || Files.exists(Rotation.old(file));
    }
}
