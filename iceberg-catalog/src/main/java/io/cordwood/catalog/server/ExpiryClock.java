package io.cordwood.catalog.server;

import io.cordwood.catalog.protocol.ClockReadings;
import io.cordwood.catalog.server.store.AppendTimeStore;
import io.cordwood.catalog.server.store.Database;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The clock for expiry: the earlier of the service's clock and of the brokers' time, as far as it is known.
 * Thread-safe.
 *
 * <p>The brokers' time is the newest append time of all rows in tables, plus the time since it became known, by a
 * monotonic ticker. The database keeps it. So it is never ahead of the brokers. It also advances
 * while nothing is written, and after a stop it catches up with the next row.
 */
final class ExpiryClock implements InstantSource {
    private final Database database;
    private final InstantSource wall;
    private final LongSupplier nanos;
    private Optional<Anchor> anchor = Optional.empty();

    /** The brokers' time at a tick. */
    private record Anchor(long appendMillis, long nanos) {
        long at(long now) {
            return appendMillis + TimeUnit.NANOSECONDS.toMillis(now - nanos);
        }
    }

    /**
     * Creates the clock of the tables that this database registers.
     *
     * @param wall the service's clock
     * @param nanos monotonic ticker in nanoseconds, as {@link System#nanoTime}
     */
    ExpiryClock(Database database, InstantSource wall, LongSupplier nanos) {
        this.database = database;
        this.wall = wall;
        this.nanos = nanos;
    }

    /** The reading of each clock. Must not be called within a transaction. */
    synchronized ClockReadings time() {
        long now = nanos.getAsLong();
        OptionalLong reckoned =
                anchor.map(known -> OptionalLong.of(known.at(now))).orElse(OptionalLong.empty());
        OptionalLong appended = database.write(connection -> AppendTimeStore.raise(connection, reckoned));
        if (appended.isPresent() && !appended.equals(reckoned)) {
            anchor = Optional.of(new Anchor(appended.getAsLong(), now));
        }
        return new ClockReadings(
                wall.instant(),
                appended.isPresent() ? Optional.of(Instant.ofEpochMilli(appended.getAsLong())) : Optional.empty());
    }

    @Override
    public Instant instant() {
        ClockReadings time = time();
        return time.earliest(time.service());
    }
}
