package io.cordwood.catalog.server.table;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * Locks that serialise changes of a table within this process, so that a loser fails before it has written a metadata
 * file. Correctness does not depend on them: the database decides. Thread-safe.
 */
public final class TableLocks {
    private static final int STRIPES = 256;

    private final Lock[] locks = new Lock[STRIPES];

    public TableLocks() {
        java.util.Arrays.setAll(locks, i -> new ReentrantLock());
    }

    public <T> T locked(TableIdentifier table, Supplier<T> action) {
        Lock lock = locks[Math.floorMod(table.hashCode(), STRIPES)];
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }
}
