package io.cordwood.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.SignedJWT;
import java.text.ParseException;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The public keys of the lake's signing keys, by key id. Verifies signatures. Equal to others if the keys are.
 * Immutable and thread-safe.
 */
public final class PublicKeys {
    /** @param end no token of this key ends later; empty while it signs */
    private record Key(JWSVerifier verifier, Optional<Instant> end) {}

    /** The keys that were read last, and from what: readers of rules read the same ones every few seconds. */
    private record Read(String json, PublicKeys keys) {}

    private static volatile Read last;

    private final String json;
    private final Map<String, Key> byId = new HashMap<>();

    PublicKeys(JWKSet keys) {
        json = keys.toString(true);
        for (JWK key : keys.getKeys()) {
            if (!(key instanceof ECKey ec) || !Curve.P_256.equals(ec.getCurve()) || ec.getKeyID() == null) {
                throw new IllegalArgumentException("A signing key is not an EC key on P-256 with an id");
            }
            try {
                Optional<Instant> end =
                        Optional.ofNullable(ec.getExpirationTime()).map(Date::toInstant);
                byId.put(ec.getKeyID(), new Key(new ECDSAVerifier(ec), end));
            } catch (JOSEException e) {
                throw new IllegalArgumentException("A signing key cannot be used: " + e.getMessage(), e);
            }
        }
    }

    /**
     * Reads a JWK set.
     *
     * @throws IllegalArgumentException if it is none, or has another key than EC keys on P-256
     */
    public static PublicKeys parse(String json) {
        Read known = last;
        if (known != null && json.equals(known.json())) {
            return known.keys();
        }
        try {
            PublicKeys keys = new PublicKeys(JWKSet.parse(json));
            last = new Read(json, keys);
            return keys;
        } catch (ParseException e) {
            throw new IllegalArgumentException("Not a JWK set: " + e.getMessage(), e);
        }
    }

    /** The JWK set, without private parts. */
    public String toJson() {
        return json;
    }

    /** Whether a key of this id is among them. */
    public boolean knows(String keyId) {
        return byId.containsKey(keyId);
    }

    /** The id of the key that a text names as its signer, unchecked; empty if it is no token or names none. */
    public static Optional<String> keyId(String compact) {
        int end = compact.indexOf('.');
        try {
            return end < 0
                    ? Optional.empty()
                    : Optional.ofNullable(JWSHeader.parse(new Base64URL(compact.substring(0, end)))
                            .getKeyID());
        } catch (ParseException e) {
            return Optional.empty();
        }
    }

    /**
     * Checks who issued a token, and returns its claims. Does not check the time or revocation: see {@link TokenRules}.
     *
     * @param compact the token as sent
     * @param audience what it must be for
     * @throws InvalidTokenException if it is no token, its algorithm is not ES256, its key is unknown, its signature is
     *     wrong, it ends after its key, or it is meant for another audience
     */
    public Token verify(String compact, Audience audience) throws InvalidTokenException {
        try {
            SignedJWT jwt = SignedJWT.parse(compact);
            if (!JWSAlgorithm.ES256.equals(jwt.getHeader().getAlgorithm())) {
                throw new InvalidTokenException("The token is not signed with ES256");
            }
            String keyId = jwt.getHeader().getKeyID();
            Key key = keyId == null ? null : byId.get(keyId);
            if (key == null) {
                throw new InvalidTokenException("The token was signed with a key that is not known here");
            }
            if (!jwt.verify(key.verifier())) {
                throw new InvalidTokenException("The token's signature is wrong");
            }
            Token token = TokenClaims.read(jwt.getJWTClaimsSet(), audience);
            // Not by the present time: a record that is read again must get the same answer
            if (key.end().filter(end -> token.expires().isAfter(end)).isPresent()) {
                throw new InvalidTokenException("The token ends after the key that signed it, which was replaced");
            }
            return token;
        } catch (ParseException e) {
            throw new InvalidTokenException("This is not a token");
        } catch (JOSEException e) {
            throw new InvalidTokenException("The token's signature cannot be checked: " + e.getMessage());
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PublicKeys that && json.equals(that.json);
    }

    @Override
    public int hashCode() {
        return json.hashCode();
    }
}
