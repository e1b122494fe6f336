package io.cordwood.trino.metric;

import com.google.inject.Inject;
import io.cordwood.query.QueryEngine;
import io.trino.spi.catalog.CatalogName;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * The connector's MBeans in domain {@code io.cordwood.trino}: {@code type=query} with totals of scans, and {@code
 * type=cache} for each cache. Key {@code catalog} names the catalog; {@code instance} distinguishes several connectors
 * of one catalog in one process, as in tests. Thread-safe.
 */
public final class ConnectorBeans {
    private static final AtomicLong INSTANCES = new AtomicLong();

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final long instance = INSTANCES.incrementAndGet();
    private final List<ObjectName> registered = new ArrayList<>();
    private final String catalog;
    private final ScanTotals scans;
    private final QueryEngine engine;

    @Inject
    ConnectorBeans(CatalogName catalog, ScanTotals scans, QueryEngine engine) {
        this.catalog = catalog.toString();
        this.scans = scans;
        this.engine = engine;
    }

    @PostConstruct
    synchronized void register() throws JMException {
        register("type=query", scans::sums);
        for (String cache : engine.cacheCounts().keySet()) {
            register("type=cache,name=" + cache, () -> engine.cacheCounts().get(cache));
        }
    }

    private void register(String keys, Supplier<Map<String, Long>> values) throws JMException {
        ObjectName name = name(keys);
        server.registerMBean(new CountsBean(values), name);
        registered.add(name);
    }

    private ObjectName name(String keys) throws MalformedObjectNameException {
        return new ObjectName(
                "io.cordwood.trino:%s,catalog=%s,instance=%d".formatted(keys, ObjectName.quote(catalog), instance));
    }

    @PreDestroy
    synchronized void unregister() throws JMException {
        for (ObjectName name : registered) {
            server.unregisterMBean(name);
        }
        registered.clear();
    }
}
