package io.cordwood.trino;

import static io.trino.spi.session.PropertyMetadata.booleanProperty;
import static io.trino.spi.session.PropertyMetadata.enumProperty;

import io.cordwood.logblock.ReadOptions;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.session.PropertyMetadata;
import java.util.List;

/** Session properties: each switches one optimisation off, and none changes an answer. Stateless. */
final class CordwoodSessionProperties {
    /** How the rows that are still in Kafka are read. */
    enum HotTail {
        /** Every acknowledged row. */
        EXACT,
        /** None: LogBlocks only. */
        OFF
    }

    private static final String USE_INDEX = "use_index";
    private static final String USE_TIME_INDEX = "use_time_index";
    private static final String USE_STATISTICS = "use_statistics";
    private static final String USE_PREFETCH = "use_prefetch";
    private static final String USE_CACHE = "use_cache";
    private static final String PUSH_AGGREGATION = "push_aggregation";
    private static final String PUSH_TOPN = "push_topn";
    private static final String HOT_TAIL = "hot_tail";

    private static final List<PropertyMetadata<?>> PROPERTIES = List.of(
            booleanProperty(USE_INDEX, "Answer conditions from the index of a LogBlock", true, false),
            booleanProperty(USE_TIME_INDEX, "Turn time ranges into row ranges by the time index", true, false),
            booleanProperty(
                    USE_STATISTICS, "Skip LogBlocks and column blocks by minimum, maximum and null count", true, false),
            booleanProperty(USE_PREFETCH, "Fetch what few rows hold for all columns in one request", true, false),
            booleanProperty(USE_CACHE, "Keep open LogBlocks and their bytes in memory", true, false),
            booleanProperty(
                    PUSH_AGGREGATION,
                    "Count, and cut time into bins, from manifests, index and time index",
                    true,
                    false),
            booleanProperty(PUSH_TOPN, "Stop at the newest or oldest rows asked for", true, false),
            enumProperty(
                    HOT_TAIL,
                    "How rows that are still in Kafka are read: exact or off",
                    HotTail.class,
                    HotTail.EXACT,
                    false));

    private CordwoodSessionProperties() {}

    static List<PropertyMetadata<?>> all() {
        return PROPERTIES;
    }

    static ReadSettings readSettings(ConnectorSession session) {
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

    static boolean pushAggregation(ConnectorSession session) {
        return session.getProperty(PUSH_AGGREGATION, Boolean.class);
    }

    static boolean useStatistics(ConnectorSession session) {
        return session.getProperty(USE_STATISTICS, Boolean.class);
    }

    static boolean pushTopN(ConnectorSession session) {
        return session.getProperty(PUSH_TOPN, Boolean.class);
    }
}
