package io.cordwood.catalog.commit;

import java.time.InstantSource;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;

/**
 * Operations of a table in which nothing was done at a time to come, as {@link TableTimes} tells, so that it can be
 * committed to whatever clocks it was committed by before. Not thread-safe.
 */
public final class TimedTableOperations extends ForwardingTableOperations {
    private final InstantSource clock;
    private TableMetadata found;
    private TableMetadata timed;

    /** @param clock tells the present time */
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
