package io.cordwood.identity;

import com.nimbusds.jwt.JWTClaimsSet;
import java.text.ParseException;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Converts between {@link Token} and the claims of a JWT. Stateless. */
final class TokenClaims {
    static final String ISSUER = "cordwood";

    private static final String TENANT = "tenant";
    private static final String ROLE = "role";
    private static final String STREAMS = "streams";
    private static final String SERVICE = "service";
    private static final String PARENT = "parent";

    private TokenClaims() {}

    static JWTClaimsSet write(Token token) {
        JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience(token.audience().label())
                .jwtID(token.id())
                .subject(token.user())
                .issueTime(Date.from(token.issued()))
                .expirationTime(Date.from(token.expires()));
        token.scope().ifPresent(scope -> {
            claims.claim(TENANT, scope.tenant()).claim(ROLE, scope.role().label());
            if (!scope.streams().isEmpty()) {
                claims.claim(STREAMS, scope.streams().stream().sorted().toList());
            }
        });
        token.service().ifPresent(service -> claims.claim(SERVICE, service.label()));
        token.parent().ifPresent(parent -> claims.claim(PARENT, parent));
        return claims.build();
    }

    static Token read(JWTClaimsSet claims, Audience audience) throws InvalidTokenException {
        // A token for both would open doors to who reads it in a record
        if (!ISSUER.equals(claims.getIssuer()) || !claims.getAudience().equals(List.of(audience.label()))) {
            throw new InvalidTokenException(
                    "The token is meant for another audience: this needs one for %s".formatted(audience.label()));
        }
        if (claims.getNotBeforeTime() != null) {
            throw new InvalidTokenException("The token has a claim nbf, which this lake does not issue");
        }
        try {
            return new Token(
                    required(claims.getJWTID(), "jti"),
                    required(claims.getSubject(), "sub"),
                    audience,
                    instant(claims.getIssueTime(), "iat"),
                    instant(claims.getExpirationTime(), "exp"),
                    scope(claims),
                    Optional.ofNullable(claims.getStringClaim(SERVICE)).map(ServiceRole::of),
                    Optional.ofNullable(claims.getStringClaim(PARENT)));
        } catch (ParseException | IllegalArgumentException e) {
            throw new InvalidTokenException("The token has a malformed claim: " + e.getMessage());
        }
    }

    private static Optional<Token.Scope> scope(JWTClaimsSet claims) throws ParseException, InvalidTokenException {
        String tenant = claims.getStringClaim(TENANT);
        String role = claims.getStringClaim(ROLE);
        if (tenant == null && role == null) {
            return Optional.empty();
        }
        List<String> streams = claims.getStringListClaim(STREAMS);
        return Optional.of(new Token.Scope(
                required(tenant, TENANT),
                TenantRole.of(required(role, ROLE)),
                streams == null ? Set.of() : Set.copyOf(streams)));
    }

    private static Instant instant(Date date, String claim) throws InvalidTokenException {
        return required(date, claim).toInstant();
    }

    private static <T> T required(T value, String claim) throws InvalidTokenException {
        if (value == null) {
            throw new InvalidTokenException("The token lacks the claim " + claim);
        }
        return value;
    }
}
