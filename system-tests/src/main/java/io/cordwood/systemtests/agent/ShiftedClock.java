package io.cordwood.systemtests.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * The time of a JVM whose clock {@code Clocks} sets ahead or back. {@link TimeCalls} makes the product call this class
 * in place of the JDK, so its methods have the JDK's names. {@link System#nanoTime} is not shifted. Thread-safe.
 */
public final class ShiftedClock {
    /** The agent option, followed by the file of {@code Clocks}. */
    public static final String NAME = "CLOCK@";

    private static final long POLL_MILLIS = 50;

    private static volatile long shiftMillis;

    private ShiftedClock() {}

    /** Shifts the clock by the value in this file from now on. */
    public static void follow(Path file) {
        shiftMillis = read(file);
        Thread.ofPlatform().name("shifted-clock").daemon().start(() -> {
            try {
                while (true) {
                    Thread.sleep(POLL_MILLIS);
                    shiftMillis = read(file);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static long read(Path file) {
        try {
            return Long.parseLong(Files.readString(file));
        } catch (NoSuchFileException e) {
            return 0; // The clock was never shifted.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** In place of {@link System#currentTimeMillis}. */
    public static long currentTimeMillis() {
        return System.currentTimeMillis() + shiftMillis;
    }

    /** In place of {@link Instant#now()}. */
    public static Instant now() {
        return Instant.now().plusMillis(shiftMillis);
    }

    /** In place of {@link Clock#systemUTC}. */
    public static Clock systemUTC() {
        return system(ZoneOffset.UTC);
    }

    /** In place of {@link Clock#systemDefaultZone}. */
    public static Clock systemDefaultZone() {
        return system(ZoneId.systemDefault());
    }

    /** In place of {@link Clock#system}. */
    public static Clock system(ZoneId zone) {
        return new Shifted(Clock.system(zone));
    }

    /** In place of {@link InstantSource#system}. */
    public static InstantSource system() {
        return systemUTC();
    }

    private static final class Shifted extends Clock {
        private final Clock clock;

        Shifted(Clock clock) {
            this.clock = clock;
        }

        @Override
        public ZoneId getZone() {
            return clock.getZone();
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return new Shifted(clock.withZone(zone));
        }

        @Override
        public Instant instant() {
            return clock.instant().plus(Duration.ofMillis(shiftMillis));
        }
    }
}
