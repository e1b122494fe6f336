package io.cordwood.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

final class OptionsTest {
    private static final class Percent extends WholeNumber {
        Percent() {
            super(0, 100);
        }
    }

    private static final class Share extends DecimalNumber {
        Share() {
            super(0.01, 1);
        }
    }

    private static final class Pause extends Time {
        Pause() {
            super(Duration.ofMillis(100));
        }
    }

    private static final class Memory extends Size {
        Memory() {
            super(64 << 10, 1 << 30);
        }
    }

    private static final class Flags {
        @Option(names = "--percent", defaultValue = "7", converter = Percent.class)
        private int percent;

        @Option(names = "--share", defaultValue = "0.85", converter = Share.class)
        private double share;

        @Option(names = "--pause", defaultValue = "1min", converter = Pause.class)
        private Duration pause;

        @Option(names = "--memory", defaultValue = "64mb", converter = Memory.class)
        private long memory;

        @Option(names = "--eager", arity = "1", defaultValue = "false", converter = TrueOrFalse.class)
        private boolean eager;

        @Option(names = "--redis", converter = RedisUri.class)
        private URI redis;

        @Option(names = "--place")
        private Path place;

        @Option(names = "--file", converter = PropertiesFile.Converter.class)
        private PropertiesFile file = PropertiesFile.NONE;
    }

    @Test
    void defaults() {
        Flags flags = NamedValues.set(new Flags(), Map.of());
        assertThat(flags.percent).isEqualTo(7);
        assertThat(flags.share).isEqualTo(0.85);
        assertThat(flags.pause).isEqualTo(Duration.ofMinutes(1));
        assertThat(flags.memory).isEqualTo(64 << 20);
        assertThat(flags.eager).isFalse();
        assertThat(flags.file.values()).isEmpty();
    }

    @Test
    void explicitValues(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("client.properties"), "acks=all\n");
        Flags flags = NamedValues.set(
                new Flags(),
                Map.of(
                        "percent", "100",
                        "share", "1e-1",
                        "pause", "2d",
                        "memory", "1 gb",
                        "eager", "true",
                        "redis", "rediss://user@r:6380/1",
                        "place", "/any where",
                        "file", file.toString()));
        assertThat(flags.percent).isEqualTo(100);
        assertThat(flags.share).isEqualTo(0.1);
        assertThat(flags.pause).isEqualTo(Duration.ofDays(2));
        assertThat(flags.memory).isEqualTo(1 << 30);
        assertThat(flags.eager).isTrue();
        assertThat(flags.redis).hasHost("r");
        assertThat(flags.place).hasToString("/any where");
        assertThat(flags.file.properties()).isEqualTo(Map.of("acks", "all"));
    }

    /** A program that needs Redis. */
    private static final class WithRedis {
        @ArgGroup(multiplicity = "1")
        private RedisFlags redis;
    }

    @Test
    void theAddressOfRedisMayComeFromAFile(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("redis.url"), "rediss://ingest:secret@r:6380\n");
        WithRedis flags = new WithRedis();
        new CommandLine(flags).parseArgs("--redis-url-file", file.toString());
        assertThat(flags.redis.uri()).hasUserInfo("ingest:secret").hasHost("r");

        new CommandLine(flags).parseArgs("--redis", "redis://r:6379");
        assertThat(flags.redis.uri()).hasNoUserInfo();
        assertThatThrownBy(() -> new CommandLine(new WithRedis()).parseArgs())
                .hasMessageContaining("--redis=URL")
                .hasMessageContaining("--redis-url-file=FILE");
    }

    @Test
    void whatIsInTheFileOfRedisIsInNoMessage(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("redis.url"), "rediss//ingest:secret@r:6380\n");
        assertThatThrownBy(() -> new CommandLine(new WithRedis()).parseArgs("--redis-url-file", file.toString()))
                .hasMessageContaining(file.toString())
                .message()
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"67108864", "67108864b", "65536kb", "65536 K", "64mb", "64MB", "64m", "64 Mb"})
    void aSizeHasAnyOfTheUsualUnits(String text) {
        assertThat(NamedValues.set(new Flags(), Map.of("memory", text)).memory).isEqualTo(64 << 20);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "memory  | 999999999999999999tb | memory: '999999999999999999tb' is not a size from 64 kb to 1 gb, such as 64mb or 1gb",
                "percent | 101   | percent: '101' is not a whole number from 0 to 100",
                "percent | 2.5   | percent: '2.5' is not a whole number from 0 to 100",
                "share   | 7     | share: '7' is not a number from 0.01 to 1",
                "share   | NaN   | share: 'NaN' is not a number from 0.01 to 1",
                "pause   | soon  | pause: 'soon' is not a time from 100 ms, such as 30s, 5min, 1h or 1d",
                "pause   | 99ms  | pause: '99ms' is not a time from 100 ms, such as 30s, 5min, 1h or 1d",
                "memory  | 63kb  | memory: '63kb' is not a size from 64 kb to 1 gb, such as 64mb or 1gb",
                "memory  | 1025mb | memory: '1025mb' is not a size from 64 kb to 1 gb, such as 64mb or 1gb",
                "eager   | yes   | eager: 'yes' is not true or false",
                "redis   | r:6379 | redis: 'r:6379' is not an address such as redis://127.0.0.1:6379",
                "redis   | redis://r | redis: 'redis://r' is not an address such as redis://127.0.0.1:6379",
                "file    | /nowhere | file: cannot read /nowhere: java.nio.file.NoSuchFileException: /nowhere",
                "colour  | red   | there is no option colour",
            })
    void saysWhatIsWrong(String name, String value, String message) {
        assertThatThrownBy(() -> NamedValues.set(new Flags(), Map.of(name, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void onACommandLineTheMessageNamesTheOption() {
        assertThatThrownBy(() -> new CommandLine(new Flags()).parseArgs("--percent", "101"))
                .hasMessageContaining("option '--percent'")
                .hasMessageContaining("'101' is not a whole number from 0 to 100");
    }

    @Test
    void argumentsAreOrdered() {
        assertThat(NamedValues.arguments(Map.of("b", "2", "a", "1"))).containsExactly("--a", "1", "--b", "2");
    }
}
