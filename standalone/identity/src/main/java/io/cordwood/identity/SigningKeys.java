package io.cordwood.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;

/**
 * The keys that sign tokens: EC keys on P-256 in a file with a JWK set. The first signs; all verify, so that keys can
 * change while tokens of the older ones are still good. Immutable and thread-safe.
 */
public final class SigningKeys {
    /** A service may sign with a key a little longer than it should: it reads the file late, or its clock is ahead. */
    private static final Duration LATE = Duration.ofHours(1);

    private final JWKSet keys;
    private final PublicKeys publicKeys;

    private SigningKeys(JWKSet keys) {
        this.keys = keys;
        this.publicKeys = new PublicKeys(keys);
    }

    /** One new key. */
    public static SigningKeys create() {
        return new SigningKeys(new JWKSet(newKey()));
    }

    /**
     * Reads the keys of a file.
     *
     * @throws IOException if it cannot be read
     * @throws IllegalArgumentException if it does not hold private EC keys on P-256, each with an id
     */
    public static SigningKeys read(Path file) throws IOException {
        try {
            JWKSet keys = JWKSet.parse(Files.readString(file));
            if (keys.isEmpty() || !keys.getKeys().stream().allMatch(key -> key.isPrivate())) {
                throw new IllegalArgumentException("%s holds no private key".formatted(file));
            }
            return new SigningKeys(keys);
        } catch (ParseException e) {
            // The message of the parser may repeat what is in the file
            throw new IllegalArgumentException("%s is not a JWK set".formatted(file));
        }
    }

    /** The same keys and a new one behind them: it verifies, and does not sign yet. So it can become known before. */
    public SigningKeys withNext() {
        List<JWK> all = new ArrayList<>(keys.getKeys());
        all.add(newKey());
        return new SigningKeys(new JWKSet(all));
    }

    /**
     * The same keys, but the last one first: it signs from now on. Those from before end with the last token that they
     * can have signed. They stay as long as a record with such a token may be read again.
     *
     * @param now when the new key begins to sign
     * @throws IllegalStateException if there is no new key, see {@link #withNext}
     */
    public SigningKeys rotated(Instant now) {
        List<JWK> before = new ArrayList<>(keys.getKeys());
        JWK next = before.removeLast();
        if (before.isEmpty() || next.getExpirationTime() != null) {
            throw new IllegalStateException("There is no new key to sign with");
        }
        List<JWK> all = new ArrayList<>();
        all.add(next);
        for (JWK key : before) {
            if (key.getExpirationTime() == null) {
                all.add(new ECKey.Builder((ECKey) key)
                        .expirationTime(Date.from(now.plus(Token.MAX_LIFE).plus(LATE)))
                        .build());
            } else if (key.getExpirationTime()
                    .toInstant()
                    .plus(TokenRules.REPLAYED)
                    .isAfter(now)) {
                all.add(key);
            }
        }
        return new SigningKeys(new JWKSet(all));
    }

    /** Whether {@link #rotated} was called on keys with a new one, and these came of it: the new key signs here. */
    public boolean cameOf(SigningKeys withNext) {
        return keys.getKeys()
                .getFirst()
                .getKeyID()
                .equals(withNext.keys.getKeys().getLast().getKeyID());
    }

    private static ECKey newKey() {
        try {
            return new ECKeyGenerator(Curve.P_256)
                    .keyUse(KeyUse.SIGNATURE)
                    .algorithm(JWSAlgorithm.ES256)
                    .keyIDFromThumbprint(true)
                    .generate();
        } catch (JOSEException e) {
            throw new IllegalStateException("Java cannot make keys on P-256", e);
        }
    }

    /** The file's content. It is secret. */
    public String toJson() {
        return keys.toString(false);
    }

    public PublicKeys publicKeys() {
        return publicKeys;
    }

    /** The token as sent. */
    public String sign(Token token) {
        ECKey key = (ECKey) keys.getKeys().getFirst();
        SignedJWT jwt = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256)
                        .keyID(key.getKeyID())
                        .type(JOSEObjectType.JWT)
                        .build(),
                TokenClaims.write(token));
        try {
            jwt.sign(new ECDSASigner(key));
        } catch (JOSEException e) {
            throw new IllegalStateException("Cannot sign a token", e);
        }
        return jwt.serialize();
    }
}
