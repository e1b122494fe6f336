package io.cordwood.trino.login;

import io.cordwood.catalog.access.Polled;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.tenant.AccessRules;
import io.trino.spi.security.GroupProvider;
import io.trino.spi.security.GroupProviderFactory;
import java.util.Map;
import java.util.Set;

/**
 * Creates the group provider {@code cordwood}: the operators of the registry are the group {@value #OPERATORS}, by
 * which Trino's own rules name them. While the catalog service does not answer, nobody is in it. Stateless.
 */
public final class OperatorGroupProviderFactory implements GroupProviderFactory {
    static final String OPERATORS = "operators";

    @Override
    public String getName() {
        return "cordwood";
    }

    @Override
    public GroupProvider create(Map<String, String> config) {
        Polled<AccessRules> rules =
                CatalogRules.polled("access rules of groups", config, CatalogClient::pollAccessRules);
        return user -> rules.get()
                .filter(known -> known.isOperator(user))
                .map(operator -> Set.of(OPERATORS))
                .orElse(Set.of());
    }
}
