package io.cordwood.trino.config;

import static io.trino.plugin.base.session.PropertyMetadataUtil.dataSizeProperty;
import static io.trino.plugin.base.session.PropertyMetadataUtil.durationProperty;
import static io.trino.spi.session.PropertyMetadata.booleanProperty;
import static io.trino.spi.session.PropertyMetadata.enumProperty;

import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import io.cordwood.hot.ReadLimits;
import io.cordwood.logblock.scan.ReadOptions;
import io.cordwood.query.plan.PlanRequest;
import io.cordwood.query.scan.ReadSettings;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.session.PropertyMetadata;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Session properties. Those of optimisations switch one off each, without changing a result. Stateless. */
public final class CordwoodSessionProperties {
    /** Modes of reading the rows that are still in Kafka. */
    enum HotTierMode {
        /** Every acknowledged row. */
        EXACT,
        /** None: LogBlocks only. */
        OFF
    }

    private static final String USE_INDEX = "use_index";
    private static final String USE_TIME_INDEX = "use_time_index";
    private static final String USE_STATISTICS = "use_statistics";
    private static final String USE_TOKEN_FILTERS = "use_token_filters";
    private static final String USE_PREFETCH = "use_prefetch";
    private static final String USE_CACHE = "use_cache";
    private static final String PUSH_AGGREGATION = "push_aggregation";
    private static final String PUSH_TOPN = "push_topn";
    private static final String USE_SINGLE_STAGE = "use_single_stage";
    private static final String DYNAMIC_FILTERING_WAIT_TIMEOUT = "dynamic_filtering_wait_timeout";
    private static final String HOT_TAIL = "hot_tail";
    private static final String HOT_MAX_SIZE = "hot_max_size";
    private static final String HOT_READ_TIMEOUT = "hot_read_timeout";
    private static final String HOT_STATISTICS_INTERVAL = "hot_statistics_interval";
    private static final String DELETE_FLUSH_TIMEOUT = "delete_flush_timeout";

    private static final List<PropertyMetadata<?>> PROPERTIES = List.of(
            booleanProperty(USE_INDEX, "Answer conditions from the index of a LogBlock", true, false),
            booleanProperty(USE_TIME_INDEX, "Turn time ranges into row ranges by the time index", true, false),
            booleanProperty(
                    USE_STATISTICS, "Skip LogBlocks and column blocks by minimum, maximum and null count", true, false),
            booleanProperty(
                    USE_TOKEN_FILTERS,
                    "Skip LogBlocks whose token filters, from manifests, rule the requested terms out",
                    true,
                    false),
            booleanProperty(USE_PREFETCH, "Fetch the values of few rows for all columns in one request", true, false),
            booleanProperty(
                    USE_CACHE, "Keep open LogBlocks, their bytes and decoded column blocks in memory", true, false),
            booleanProperty(
                    PUSH_AGGREGATION,
                    "Count from manifests and dictionaries, and cut time into bins from the time index",
                    true,
                    false),
            booleanProperty(
                    PUSH_TOPN, "Stop at the requested number of newest or oldest rows, or of groups", true, false),
            booleanProperty(
                    USE_SINGLE_STAGE,
                    "On a single node, group and join rows in the stage that reads them",
                    true,
                    false),
            durationProperty(
                    DYNAMIC_FILTERING_WAIT_TIMEOUT,
                    "Maximum time to wait for the dynamic filter of a join before LogBlocks are chosen",
                    new Duration(500, TimeUnit.MILLISECONDS),
                    false),
            enumProperty(
                    HOT_TAIL,
                    "How to read rows that are still in Kafka: exact or off",
                    HotTierMode.class,
                    HotTierMode.EXACT,
                    false),
            dataSizeProperty(
                    HOT_MAX_SIZE,
                    "Maximum bytes of records that a scan may read from Kafka on a node; a query that needs more fails",
                    DataSize.of(16, DataSize.Unit.GIGABYTE),
                    false),
            durationProperty(
                    HOT_READ_TIMEOUT,
                    "Maximum time that Kafka may return no records before the query fails",
                    new Duration(30, TimeUnit.SECONDS),
                    false),
            durationProperty(
                    HOT_STATISTICS_INTERVAL,
                    "Maximum age of statistics of growing chunks; by default the catalog's setting",
                    null,
                    false),
            durationProperty(
                    DELETE_FLUSH_TIMEOUT,
                    "Maximum time that DELETE waits until rows that are still in Kafka are flushed into LogBlocks",
                    new Duration(3, TimeUnit.MINUTES),
                    false));

    /**
     * Properties that bound what a query takes from what all share: reads of topics, waits and requests to Redis. Even
     * a lower {@code hot_max_size} is not for everyone: whether a query still succeeds would tell how much others send.
     */
    private static final Set<String> LIMITS =
            Set.of(HOT_MAX_SIZE, HOT_READ_TIMEOUT, HOT_STATISTICS_INTERVAL, DELETE_FLUSH_TIMEOUT);

    private CordwoodSessionProperties() {}

    /** Whether a property is a limit that only operators set. */
    public static boolean isLimit(String propertyName) {
        return LIMITS.contains(propertyName);
    }

    public static List<PropertyMetadata<?>> all() {
        return PROPERTIES;
    }

    public static ReadSettings readSettings(ConnectorSession session) {
        ReadOptions options = new ReadOptions(
                session.getProperty(USE_INDEX, Boolean.class),
                session.getProperty(USE_TIME_INDEX, Boolean.class),
                useStatistics(session));
        return new ReadSettings(
                options,
                session.getProperty(USE_CACHE, Boolean.class),
                pushAggregation(session),
                session.getProperty(USE_PREFETCH, Boolean.class));
    }

    public static boolean readsHotTier(ConnectorSession session) {
        return session.getProperty(HOT_TAIL, HotTierMode.class) == HotTierMode.EXACT;
    }

    /** Bytes of records that a query may read from Kafka. */
    public static long hotMaxBytes(ConnectorSession session) {
        return session.getProperty(HOT_MAX_SIZE, DataSize.class).toBytes();
    }

    public static ReadLimits hotReadLimits(ConnectorSession session) {
        return new ReadLimits(
                hotMaxBytes(session),
                session.getProperty(HOT_READ_TIMEOUT, Duration.class).toJavaTime());
    }

    /** The tiers and optimisations of planning; the age of statistics is that of the catalog unless set. */
    public static PlanRequest.Options planOptions(ConnectorSession session) {
        return new PlanRequest.Options(
                readsHotTier(session),
                session.getProperty(USE_TOKEN_FILTERS, Boolean.class),
                Optional.ofNullable(session.getProperty(HOT_STATISTICS_INTERVAL, Duration.class))
                        .map(Duration::toJavaTime));
    }

    public static java.time.Duration deleteFlushTimeout(ConnectorSession session) {
        return session.getProperty(DELETE_FLUSH_TIMEOUT, Duration.class).toJavaTime();
    }

    public static boolean pushAggregation(ConnectorSession session) {
        return session.getProperty(PUSH_AGGREGATION, Boolean.class);
    }

    public static boolean useSingleStage(ConnectorSession session) {
        return session.getProperty(USE_SINGLE_STAGE, Boolean.class);
    }

    public static Duration dynamicFilteringWaitTimeout(ConnectorSession session) {
        return session.getProperty(DYNAMIC_FILTERING_WAIT_TIMEOUT, Duration.class);
    }

    public static boolean useStatistics(ConnectorSession session) {
        return session.getProperty(USE_STATISTICS, Boolean.class);
    }

    public static boolean pushTopN(ConnectorSession session) {
        return session.getProperty(PUSH_TOPN, Boolean.class);
    }
}
