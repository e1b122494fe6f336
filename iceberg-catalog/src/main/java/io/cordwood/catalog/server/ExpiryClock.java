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
 * The time by which things expire: the earlier of the service's clock and of the brokers' time, as far as it is
 * known. Thread-safe.
 *
 * <p>The brokers' time is the newest append time of all rows in tables, and what has passed since it became known, by
 * ticks that go on evenly whatever the time is set to. It is kept in the database. So it is never ahead of the
 * brokers, a lake that nobody writes to grows old too, and one that was stopped catches up with the next row.
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
     * Tells the time of the lake in this database.
     *
     * @param wall the service's clock
     * @param nanos ticks of a nanosecond that go on evenly, as {@link System#nanoTime} does
     */
    ExpiryClock(Database database, InstantSource wall, LongSupplier nanos) {
        this.database = database;
        this.wall = wall;
        this.nanos = nanos;
    }

    /** What each clock says. Not to be called within a transaction. */
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
