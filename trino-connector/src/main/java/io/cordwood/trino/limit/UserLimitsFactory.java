package io.cordwood.trino.limit;

import com.google.inject.Injector;
import io.airlift.bootstrap.Bootstrap;
import io.airlift.configuration.ConfigBinder;
import io.trino.spi.resourcegroups.ResourceGroupConfigurationManager;
import io.trino.spi.resourcegroups.ResourceGroupConfigurationManagerContext;
import io.trino.spi.resourcegroups.ResourceGroupConfigurationManagerFactory;
import java.util.Map;

/** Creates the resource group manager {@code cordwood} ({@link UserLimits}). Stateless. */
public final class UserLimitsFactory implements ResourceGroupConfigurationManagerFactory {
    @Override
    public String getName() {
        return "cordwood";
    }

    @Override
    public ResourceGroupConfigurationManager<?> create(
            Map<String, String> config, ResourceGroupConfigurationManagerContext context) {
        Injector injector = new Bootstrap(
                        "io.cordwood.bootstrap.limits",
                        binder -> ConfigBinder.configBinder(binder).bindConfig(UserLimitsConfig.class))
                .doNotInitializeLogging()
                .disableSystemProperties()
                .setRequiredConfigurationProperties(config)
                .initialize();
        return new UserLimits(injector.getInstance(UserLimitsConfig.class));
    }
}
