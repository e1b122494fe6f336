package io.cordwood.systemtests.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.systemtests.agent.ShiftedClock;
import io.cordwood.systemtests.agent.TimeCalls;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TimeCallsTest {
    private static final Duration AHEAD = Duration.ofDays(7_000);

    /** Asks for the time in each way that is turned. */
    public static final class Asking implements Supplier<List<Instant>> {
        private final long unused = Long.MAX_VALUE; // Takes two places in the constant pool.

        @Override
        @SuppressWarnings("JavaTimeDefaultTimeZone") // libraries may ask so
        public List<Instant> get() {
            LongSupplier method = System::currentTimeMillis;
            return List.of(
                    Instant.ofEpochMilli(System.currentTimeMillis()),
                    Instant.ofEpochMilli(method.getAsLong()),
                    Instant.now(),
                    Clock.systemUTC().instant(),
                    Clock.systemDefaultZone().instant(),
                    Clock.system(ZoneOffset.UTC).withZone(ZoneOffset.MIN).instant(),
                    InstantSource.system().instant());
        }

        long unused() {
            return unused;
        }
    }

    /** Asks for no time. */
    public static final class Silent {
        String text() {
            return Instant.EPOCH.toString();
        }
    }

    @Test
    void classSeesTheShiftedClockInEveryWay(@TempDir Path directory) throws Exception {
        Clocks clocks = new Clocks(directory);
        clocks.shift(AHEAD, Component.FLINK);
        ShiftedClock.follow(Path.of(clocks.option(Component.FLINK).substring(ShiftedClock.NAME.length())));
        Instant now = Instant.now();

        List<Instant> seen = asking().get();

        assertThat(seen)
                .hasSize(7)
                .allSatisfy(time -> assertThat(Duration.between(now.plus(AHEAD), time))
                        .isBetween(Duration.ofMillis(-1), Duration.ofMinutes(1)));
    }

    @Test
    void classThatAsksForNoTimeStaysAsItIs() throws IOException {
        assertThat(TimeCalls.turned("Silent", classFile(Silent.class))).isEmpty();
    }

    @Test
    void clockThatIsAskedStaysAsItIs() throws IOException {
        String name = ShiftedClock.class.getName().replace('.', '/');

        assertThat(TimeCalls.turned(name, classFile(ShiftedClock.class))).isEmpty();
    }

    @SuppressWarnings("unchecked") // the class is the one above
    private static Supplier<List<Instant>> asking() throws Exception {
        byte[] turned = TimeCalls.turned("Asking", classFile(Asking.class)).orElseThrow();
        ClassLoader loader = new ClassLoader(TimeCallsTest.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                return name.equals(Asking.class.getName())
                        ? defineClass(name, turned, 0, turned.length)
                        : super.loadClass(name, resolve);
            }
        };
        return (Supplier<List<Instant>>) loader.loadClass(Asking.class.getName())
                .getDeclaredConstructor()
                .newInstance();
    }

    private static byte[] classFile(Class<?> type) throws IOException {
        try (InputStream in =
                ClassLoader.getSystemResourceAsStream(type.getName().replace('.', '/') + ".class")) {
            return in.readAllBytes();
        }
    }
}
