package io.cordwood.trino;

import com.google.inject.Inject;
import io.cordwood.logblock.vector.DecodedCache;
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
 * The connector's MBeans in domain {@code io.cordwood.trino}: {@code type=query} with what scans took, and
 * {@code type=cache} for each cache. Key {@code catalog} names the catalog, {@code instance} tells connectors of one
 * catalog in one process apart, as tests have them. Thread-safe.
 */
final class ConnectorBeans {
    private static final AtomicLong INSTANCES = new AtomicLong();

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final long instance = INSTANCES.incrementAndGet();
    private final List<ObjectName> registered = new ArrayList<>();
    private final String catalog;
    private final ScanTotals scans;
    private final BlockCache blocks;
    private final DecodedCache decoded;
    private final LogBlockCache logBlocks;
    private final ManifestCache manifests;

    @Inject
    ConnectorBeans(
            CatalogName catalog,
            ScanTotals scans,
            BlockCache blocks,
            DecodedCache decoded,
            LogBlockCache logBlocks,
            ManifestCache manifests) {
        this.catalog = catalog.toString();
        this.scans = scans;
        this.blocks = blocks;
        this.decoded = decoded;
        this.logBlocks = logBlocks;
        this.manifests = manifests;
    }

    @PostConstruct
    synchronized void register() throws JMException {
        register("type=query", scans::sums);
        register("type=cache,name=block", blocks::counts);
        register("type=cache,name=disk", blocks::diskCounts);
        register("type=cache,name=decoded", () -> CacheCounts.of(decoded.counts()));
        register("type=cache,name=logblock", logBlocks::counts);
        register("type=cache,name=manifest", manifests::counts);
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
