package io.cordwood.ingest.runtime;

import static java.util.Objects.requireNonNull;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.apache.flink.util.ExceptionUtils;

/**
 * Items that wait for the threads of a pool, and are prepared in groups: the thread that comes to an item first also
 * prepares those that wait behind it. Saves requests if one request can serve a group. Thread-safe.
 *
 * @param <T> compared by {@code equals}
 */
public final class GroupedWork<T> {
    /** Items of a group, at most. */
    public static final int SIZE = 32;

    private final Consumer<List<T>> preparation;
    /** Items without a group, in order; guarded by this object. */
    private final Queue<T> waiting = new ArrayDeque<>();
    /** The preparation of the group of each other item that no thread has come to; guarded by this object. */
    private final Map<T, FutureTask<?>> groups = new HashMap<>();

    /** @param preparation prepares a group; may block */
    public GroupedWork(Consumer<List<T>> preparation) {
        this.preparation = requireNonNull(preparation, "preparation is null");
    }

    /** Adds an item behind the others. */
    public synchronized void add(T item) {
        waiting.add(item);
    }

    /**
     * Returns when the item is prepared; called once for each item that was added. Other groups do not wait for this
     * one.
     *
     * @throws IllegalStateException if the item was not added
     */
    public void prepare(T item) throws InterruptedException {
        FutureTask<?> group = groupOf(item);
        // Does nothing if another thread prepares the group.
        group.run();
        try {
            group.get();
        } catch (ExecutionException e) {
            ExceptionUtils.rethrow(e.getCause());
        }
    }

    private synchronized FutureTask<?> groupOf(T item) {
        while (!groups.containsKey(item)) {
            if (waiting.isEmpty()) {
                throw new IllegalStateException("Nobody added " + item);
            }
            nextGroup();
        }
        return groups.remove(item);
    }

    private void nextGroup() {
        List<T> items = new ArrayList<>();
        while (items.size() < SIZE && !waiting.isEmpty()) {
            items.add(waiting.remove());
        }
        FutureTask<?> group = new FutureTask<>(() -> preparation.accept(items), null);
        items.forEach(item -> groups.put(item, group));
    }
}
