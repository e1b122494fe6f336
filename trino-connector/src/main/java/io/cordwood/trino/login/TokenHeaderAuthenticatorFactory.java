package io.cordwood.trino.login;

import com.google.common.net.HttpHeaders;
import io.cordwood.catalog.access.Polled;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.identity.BearerHeader;
import io.cordwood.identity.TokenRules;
import io.trino.spi.security.AccessDeniedException;
import io.trino.spi.security.HeaderAuthenticator;
import io.trino.spi.security.HeaderAuthenticatorFactory;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Creates the header authenticator {@code cordwood}: a request bears one of the user's tokens. Stateless. */
public final class TokenHeaderAuthenticatorFactory implements HeaderAuthenticatorFactory {
    @Override
    public String getName() {
        return "cordwood";
    }

    @Override
    public HeaderAuthenticator create(Map<String, String> config) {
        Polled<TokenRules> rules = CatalogRules.polled("token rules of headers", config, CatalogClient::tokenRules);
        TokenLogin login = new TokenLogin(rules::get, Clock.systemUTC());
        return headers -> login.login(bearer(headers.getHeader(HttpHeaders.AUTHORIZATION)));
    }

    static String bearer(List<String> headers) {
        return Optional.ofNullable(headers)
                .filter(values -> values.size() == 1)
                .flatMap(values -> BearerHeader.token(values.getFirst()))
                .orElseThrow(() -> new AccessDeniedException(
                        "No token: send one as the password of its user, or as 'Authorization: Bearer TOKEN'"));
    }
}
