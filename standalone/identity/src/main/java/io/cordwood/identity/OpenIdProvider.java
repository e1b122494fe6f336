package io.cordwood.identity;

import static java.util.Objects.requireNonNull;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimNames;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.JWTParser;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import com.nimbusds.jwt.proc.JWTProcessor;
import java.io.IOException;
import java.net.URI;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Date;
import java.util.Set;

/**
 * An OpenID provider, whose tokens say which user logged in there. Thread-safe.
 *
 * <p>Its keys are found by discovery when the first token comes. They are kept for some minutes, and read again when a
 * token names a key that is not among them, but not for each such token: anyone can make one up.
 */
public final class OpenIdProvider {
    /** How long keys are used that the provider may have withdrawn. */
    private static final Duration KEYS_KEPT = Duration.ofMinutes(5);
    /** How long reading the keys may take. */
    private static final Duration READING_KEYS = Duration.ofSeconds(10);
    /** Longer than another one reads the keys. */
    private static final Duration WAIT_FOR_KEYS = Duration.ofSeconds(15);

    private static final Duration BETWEEN_REQUESTS = Duration.ofSeconds(30);
    private static final int CLOCK_SKEW_SECONDS = 60;
    /** Signatures by keys that are published. With a shared secret, whoever verifies could sign. */
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    private static final String EMAIL = "email";
    private static final String EMAIL_VERIFIED = "email_verified";

    private final Settings settings;
    private final JWTProcessor<SecurityContext> processor;

    /**
     * Which tokens stand for which users.
     *
     * @param issuer the provider, exactly as its tokens name it ({@code iss})
     * @param audience what its tokens must be for ({@code aud})
     * @param userClaim the claim with the name of the lake's user
     */
    public record Settings(URI issuer, String audience, String userClaim) {
        public Settings {
            requireNonNull(issuer, "issuer is null");
            requireNonNull(audience, "audience is null");
            requireNonNull(userClaim, "userClaim is null");
            if (!isSafe(issuer) || issuer.getQuery() != null || issuer.getFragment() != null) {
                throw new IllegalArgumentException(
                        "The issuer '%s' is no https URL, nor an http URL of this machine, without a query"
                                .formatted(issuer));
            }
            if (audience.isBlank() || userClaim.isBlank()) {
                throw new IllegalArgumentException("The issuer's audience and the claim of users are not blank");
            }
        }
    }

    /** @param clock ends tokens */
    public OpenIdProvider(Settings settings, InstantSource clock) {
        this(settings, clock, BETWEEN_REQUESTS);
    }

    OpenIdProvider(Settings settings, InstantSource clock, Duration betweenRequests) {
        this.settings = requireNonNull(settings, "settings is null");
        JWKSource<SecurityContext> keys = JWKSourceBuilder.create(new DiscoveredKeys(settings.issuer(), READING_KEYS))
                .refreshAheadCache(false)
                .cache(KEYS_KEPT.toMillis(), WAIT_FOR_KEYS.toMillis())
                .rateLimited(betweenRequests.toMillis())
                .build();
        DefaultJWTProcessor<SecurityContext> checks = new DefaultJWTProcessor<>();
        checks.setJWSTypeVerifier(
                new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
        checks.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, keys));
        checks.setJWTClaimsSetVerifier(new Claims(settings, clock));
        this.processor = checks;
    }

    /** The claims of a good token. Thread-safe. */
    private static final class Claims extends DefaultJWTClaimsVerifier<SecurityContext> {
        private final InstantSource clock;

        Claims(Settings settings, InstantSource clock) {
            super(
                    settings.audience(),
                    new JWTClaimsSet.Builder()
                            .issuer(settings.issuer().toString())
                            .build(),
                    Set.of(JWTClaimNames.EXPIRATION_TIME, settings.userClaim()));
            this.clock = clock;
            setMaxClockSkew(CLOCK_SKEW_SECONDS);
        }

        @Override
        protected Date currentTime() {
            return Date.from(clock.instant());
        }
    }

    /** Whether an address is https, or on this machine. */
    static boolean isSafe(URI address) {
        if (address.getHost() == null || address.getUserInfo() != null) {
            return false;
        }
        return "https".equals(address.getScheme())
                || ("http".equals(address.getScheme()) && Loopback.is(address.getHost()));
    }

    /** The provider, as its tokens name it. */
    public URI issuer() {
        return settings.issuer();
    }

    /** Whether a text says that it is a token of this provider. It is not checked. */
    public boolean names(String compact) {
        try {
            JWTClaimsSet claims = JWTParser.parse(compact).getJWTClaimsSet();
            return claims != null && settings.issuer().toString().equals(claims.getIssuer());
        } catch (ParseException e) {
            return false;
        }
    }

    /**
     * Checks a token of this provider.
     *
     * @param compact the token as sent
     * @return the name of the user that it stands for
     * @throws InvalidTokenException if it is not good, or names no user
     * @throws IOException if the provider's keys cannot be read now
     */
    public String user(String compact) throws InvalidTokenException, IOException {
        try {
            return user(processor.process(compact, null));
        } catch (KeySourceException e) {
            throw new IOException(
                    "Tokens of %s cannot be checked now: %s".formatted(settings.issuer(), e.getMessage()), e);
        } catch (ParseException e) {
            throw new InvalidTokenException("This is not a token");
        } catch (BadJOSEException | JOSEException e) {
            throw new InvalidTokenException(
                    "The token of %s is not good: %s".formatted(settings.issuer(), e.getMessage()));
        }
    }

    private String user(JWTClaimsSet claims) throws ParseException, InvalidTokenException {
        String claim = settings.userClaim();
        if (!(claims.getClaim(claim) instanceof String user) || user.isBlank()) {
            throw new InvalidTokenException("The token's claim %s is no name of a user".formatted(claim));
        }
        // Who may enter any address at the provider could be any user here
        if (claim.equals(EMAIL) && !Boolean.TRUE.equals(claims.getBooleanClaim(EMAIL_VERIFIED))) {
            throw new InvalidTokenException("The provider has not verified the token's email address");
        }
        return user;
    }
}
