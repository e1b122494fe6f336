package io.cordwood.benchmarks.run;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/** The heap usage of this process over an interval, as its garbage collections report it. Thread-safe. */
public final class HeapWatch implements AutoCloseable {
    private final AtomicLong peak = new AtomicLong();
    private final AtomicLong live = new AtomicLong();
    private final long bytesBefore = used();
    private final NotificationListener listener = this::collected;

    private HeapWatch() {}

    /** Runs a garbage collection and begins. */
    public static HeapWatch start() {
        System.gc();
        HeapWatch watch = new HeapWatch();
        watch.peak.set(watch.bytesBefore);
        watch.live.set(watch.bytesBefore);
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            ((NotificationEmitter) collector).addNotificationListener(watch.listener, null, null);
        }
        return watch;
    }

    private void collected(Notification notification, Object nothing) {
        if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            var collection = GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData())
                    .getGcInfo();
            peak.accumulateAndGet(heap(collection.getMemoryUsageBeforeGc()), Math::max);
            live.accumulateAndGet(heap(collection.getMemoryUsageAfterGc()), Math::max);
        }
    }

    private static long heap(Map<String, MemoryUsage> pools) {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == java.lang.management.MemoryType.HEAP)
                .mapToLong(pool -> pools.get(pool.getName()).getUsed())
                .sum();
    }

    private static long used() {
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Peak of used bytes, including garbage. */
    public long peakBytes() {
        return Math.max(peak.get(), used());
    }

    /** Used bytes at the beginning, after a garbage collection. */
    public long bytesBefore() {
        return bytesBefore;
    }

    /** Peak of used bytes right after a collection: an upper bound of the live heap. */
    public long peakLiveBytes() {
        return live.get();
    }

    @Override
    public void close() {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            try {
                ((NotificationEmitter) collector).removeNotificationListener(listener);
            } catch (ListenerNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
