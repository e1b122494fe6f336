package io.cordwood.catalog.commit;

import java.time.InstantSource;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;

/**
 * Operations of a table without times in the future ({@link TableTimes}), so that it accepts commits regardless of the
 * clocks of earlier ones. Not thread-safe.
 */
public final class TimedTableOperations extends ForwardingTableOperations {
    private final InstantSource clock;
    private TableMetadata found;
    private TableMetadata timed;

    /** @param clock clock for the present time */
    public TimedTableOperations(TableOperations delegate, InstantSource clock) {
        super(delegate);
        this.clock = clock;
    }

    @Override
    public TableMetadata current() {
        return timed(delegate.current());
    }

    @Override
    public TableMetadata refresh() {
        return timed(delegate.refresh());
    }

    private TableMetadata timed(TableMetadata now) {
        if (now != found) {
            found = now;
            timed = now == null ? null : TableTimes.notAfter(clock.millis(), now);
        }
        return timed;
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
        delegate.commit(base == timed ? found : base, metadata);
    }
}
