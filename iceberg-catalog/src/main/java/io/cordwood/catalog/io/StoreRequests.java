package io.cordwood.catalog.io;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import software.amazon.awssdk.core.metrics.CoreMetric;
import software.amazon.awssdk.http.HttpMetric;
import software.amazon.awssdk.metrics.MetricCollection;
import software.amazon.awssdk.metrics.MetricPublisher;

/**
 * Counts the requests of this process to object stores, as Prometheus text and as MBean {@value #BEAN}, which is there
 * from the first client on. Thread-safe.
 */
public final class StoreRequests implements MetricPublisher, StoreRequestsMXBean {
    private static final String BEAN = "io.cordwood:type=store";
    /** Names of the client's kinds of errors; the others are its caller's, or the store's answer. */
    private static final Set<String> FAILURES = Set.of("Throttling", "ServerError", "ConfiguredTimeout", "IO");

    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERROR = 500;

    private static final StoreRequests OF_PROCESS = new StoreRequests();

    private final LongAdder sent = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private boolean isRegistered;

    StoreRequests() {}

    /** The counts of this process. */
    public static StoreRequests ofProcess() {
        return OF_PROCESS;
    }

    /**
     * Makes the MBean, unless this has made it. It takes the place of one of another copy of this class: in a Flink
     * cluster each start of a job has a class loader of its own, and the last one works.
     */
    synchronized void register() {
        if (isRegistered) {
            return;
        }
        try {
            MBeanServer server = ManagementFactory.getPlatformMBeanServer();
            ObjectName name = new ObjectName(BEAN);
            if (server.isRegistered(name)) {
                server.unregisterMBean(name);
            }
            server.registerMBean(this, name);
            isRegistered = true;
        } catch (JMException e) {
            throw new IllegalStateException("Cannot register the MBean " + BEAN, e);
        }
    }

    /** Counts a call of the client: its first request, and those that repeated it. */
    @Override
    public void publish(MetricCollection call) {
        int repeated = repetitions(call);
        sent.add(1 + repeated);
        failed.add(repeated + (hasFailed(call) ? 1 : 0));
    }

    /** How often the client repeated the request of a call. */
    public static int repetitions(MetricCollection call) {
        return call.metricValues(CoreMetric.RETRY_COUNT).stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    /**
     * Whether the last request of the call failed. That an object is not there is an answer, and whoever gave the call
     * up did not wait for one.
     */
    private static boolean hasFailed(MetricCollection call) {
        if (!call.metricValues(CoreMetric.API_CALL_SUCCESSFUL).contains(false)
                || call.children().isEmpty()) {
            return false;
        }
        MetricCollection last = call.children().getLast();
        List<Integer> statuses = last.metricValues(HttpMetric.HTTP_STATUS_CODE);
        return statuses.isEmpty()
                ? last.metricValues(CoreMetric.ERROR_TYPE).stream().anyMatch(FAILURES::contains)
                : statuses.stream().anyMatch(StoreRequests::isFailure);
    }

    private static boolean isFailure(int status) {
        return switch (status) {
            case UNAUTHORIZED, FORBIDDEN, TOO_MANY_REQUESTS -> true;
            default -> status >= SERVER_ERROR;
        };
    }

    @Override
    public long getSent() {
        return sent.sum();
    }

    @Override
    public long getFailed() {
        return failed.sum();
    }

    /** Both counts. */
    public String toPrometheus() {
        return """
                # HELP cordwood_store_requests_total Requests to object stores, each repetition counted
                # TYPE cordwood_store_requests_total counter
                cordwood_store_requests_total %d
                # HELP cordwood_store_requests_failed_total Requests to object stores without a useful answer
                # TYPE cordwood_store_requests_failed_total counter
                cordwood_store_requests_failed_total %d
                """.formatted(getSent(), getFailed());
    }

    /** Does nothing: clients that close are not alone. */
    @Override
    public void close() {}
}
