package io.cordwood.trino;

import io.cordwood.trino.function.DateBinTimestampFunction;
import io.cordwood.trino.function.DateBinTimestampWithTimeZoneFunction;
import io.cordwood.trino.function.MatchFunction;
import io.cordwood.trino.function.MatchKeywordFunction;
import io.cordwood.trino.limit.UserLimitsFactory;
import io.cordwood.trino.login.OperatorGroupProviderFactory;
import io.cordwood.trino.login.TokenHeaderAuthenticatorFactory;
import io.cordwood.trino.login.TokenPasswordAuthenticatorFactory;
import io.trino.spi.Plugin;
import io.trino.spi.connector.ConnectorFactory;
import io.trino.spi.resourcegroups.ResourceGroupConfigurationManagerFactory;
import io.trino.spi.security.GroupProviderFactory;
import io.trino.spi.security.HeaderAuthenticatorFactory;
import io.trino.spi.security.PasswordAuthenticatorFactory;
import java.util.List;
import java.util.Set;

/**
 * The entry point of the plugin: the {@code cordwood} connector, its SQL functions, logins with tokens of the catalog
 * service, and limits of users. Stateless.
 */
public final class CordwoodPlugin implements Plugin {
    @Override
    public Iterable<ConnectorFactory> getConnectorFactories() {
        return List.of(new CordwoodConnectorFactory());
    }

    @Override
    public Iterable<PasswordAuthenticatorFactory> getPasswordAuthenticatorFactories() {
        return List.of(new TokenPasswordAuthenticatorFactory());
    }

    @Override
    public Iterable<HeaderAuthenticatorFactory> getHeaderAuthenticatorFactories() {
        return List.of(new TokenHeaderAuthenticatorFactory());
    }

    @Override
    public Iterable<GroupProviderFactory> getGroupProviderFactories() {
        return List.of(new OperatorGroupProviderFactory());
    }

    @Override
    public Iterable<ResourceGroupConfigurationManagerFactory> getResourceGroupConfigurationManagerFactories() {
        return List.of(new UserLimitsFactory());
    }

    @Override
    public Set<Class<?>> getFunctions() {
        return Set.of(
                MatchFunction.class,
                MatchKeywordFunction.class,
                DateBinTimestampFunction.class,
                DateBinTimestampWithTimeZoneFunction.class);
    }
}
