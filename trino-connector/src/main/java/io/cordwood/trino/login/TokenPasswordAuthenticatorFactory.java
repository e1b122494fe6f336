package io.cordwood.trino.login;

import io.cordwood.catalog.access.Polled;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.identity.TokenRules;
import io.trino.spi.security.PasswordAuthenticator;
import io.trino.spi.security.PasswordAuthenticatorFactory;
import java.time.Clock;
import java.util.Map;

/** Creates the password authenticator {@code cordwood}: a user's password is one of the user's tokens. Stateless. */
public final class TokenPasswordAuthenticatorFactory implements PasswordAuthenticatorFactory {
    @Override
    public String getName() {
        return "cordwood";
    }

    @Override
    public PasswordAuthenticator create(Map<String, String> config) {
        Polled<TokenRules> rules = CatalogRules.polled("token rules of passwords", config, CatalogClient::tokenRules);
        return new TokenLogin(rules::get, Clock.systemUTC())::login;
    }
}
