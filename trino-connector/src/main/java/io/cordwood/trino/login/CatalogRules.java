package io.cordwood.trino.login;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import com.google.inject.Injector;
import io.airlift.bootstrap.Bootstrap;
import io.airlift.configuration.ConfigBinder;
import io.cordwood.catalog.access.Polled;
import io.cordwood.catalog.client.CatalogClient;
import java.util.Map;
import java.util.function.Function;

/** Rules of the catalog service, for the lifetime of the server. Stateless. */
final class CatalogRules {
    private CatalogRules() {}

    /**
     * Rules that are read from now on.
     *
     * @param what names them in the log
     * @param config the properties of {@link LoginConfig}
     * @param rules asks for them
     */
    static <T> Polled<T> polled(String what, Map<String, String> config, Function<CatalogClient, T> rules) {
        LoginConfig login = config(config);
        // Connected at first use, so that the server can start before the catalog service.
        Supplier<CatalogClient> client =
                Suppliers.memoize(() -> CatalogClient.connect(login.getCatalogUri(), login.clientProperties()));
        return new Polled<>(what, () -> withOwnClasses(() -> rules.apply(client.get()))).start();
    }

    private static LoginConfig config(Map<String, String> config) {
        Injector injector = new Bootstrap(
                        "io.cordwood.bootstrap.login",
                        binder -> ConfigBinder.configBinder(binder).bindConfig(LoginConfig.class))
                .doNotInitializeLogging()
                .disableSystemProperties()
                .setRequiredConfigurationProperties(config)
                .initialize();
        return injector.getInstance(LoginConfig.class);
    }

    /** Iceberg loads classes by name from the thread's class loader. */
    private static <T> T withOwnClasses(Supplier<T> call) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(CatalogRules.class.getClassLoader());
        try {
            return call.get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
