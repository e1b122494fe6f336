package io.cordwood.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.ingest.builder.BuildOptions;
import io.cordwood.ingest.builder.DeclaredColumns;
import io.cordwood.ingest.builder.DeclaredColumns.Declared;
import io.cordwood.ingest.source.MinRetention;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.options.Program;
import io.cordwood.record.policy.DecodingPolicy;
import io.cordwood.record.policy.TextColumns;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.executiongraph.failover.FixedDelayRestartBackoffTimeStrategy;
import org.apache.flink.runtime.executiongraph.failover.RestartBackoffTimeStrategy;
import org.apache.flink.runtime.executiongraph.failover.RestartBackoffTimeStrategyFactoryLoader;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class IngestOptionsTest {
    @Test
    void defaults() {
        IngestOptions options = parse();
        assertThat(options.kafka()).isEqualTo(Map.of("bootstrap.servers", "k:9092"));
        assertThat(options.streams()).containsExactly("logs");
        assertThat(options.catalogUri()).isEqualTo(URI.create("http://c:8181"));
        assertThat(options.catalogProperties()).isEmpty();
        assertThat(options.checkpointDir()).isEqualTo("/tmp/chk");
        assertThat(options.checkpointInterval()).isEqualTo(Duration.ofSeconds(10));
        assertThat(options.parallelism()).isEqualTo(1);
        assertThat(options.slots()).isZero();
        assertThat(options.build())
                .isEqualTo(new BuildOptions(
                        DecodingPolicy.DEFAULT,
                        DeclaredColumns.NONE,
                        64 << 20,
                        8 << 20,
                        128 << 10,
                        64 << 20,
                        Duration.ofMinutes(1),
                        Duration.ofHours(1),
                        Duration.ofHours(6),
                        1 << 30,
                        1000,
                        512 << 20,
                        16L << 30,
                        1,
                        3));
        assertThat(options.commitThreads()).isEqualTo(4);
        assertThat(options.outageBudget()).isEqualTo(Duration.ofHours(24));
        assertThat(options.minRetention()).isEqualTo(new MinRetention(Duration.ofHours(30), 2L << 30));
        assertThat(options.discoveryInterval()).isEqualTo(Duration.ofSeconds(30));
        assertThat(options.groupId()).isEqualTo("cordwood-ingest");
        assertThat(options.redis()).isEmpty();
        assertThat(options.acceptLoss()).isFalse();
        assertThat(options.build().policy().requireToken()).isFalse();
        assertThat(options.restHost()).isEqualTo("127.0.0.1");
        assertThat(options.restPort()).isEqualTo(8081);
    }

    /** One that waits by the wall clock would wait for hours where that is set back. */
    @Test
    void restartsWaitByNoClock() {
        RestartBackoffTimeStrategy restarts =
                RestartBackoffTimeStrategyFactoryLoader.createRestartBackoffTimeStrategyFactory(
                                IngestJob.configuration(parse()), new Configuration(), true)
                        .create();

        assertThat(restarts).isInstanceOf(FixedDelayRestartBackoffTimeStrategy.class);
        assertThat(restarts.canRestart()).isTrue();
        assertThat(restarts.getBackoffTime()).isEqualTo(2_000);
    }

    @Test
    void explicitValues() {
        IngestOptions options = parse(
                "--streams",
                "logs,request_log",
                "--parallelism",
                "4",
                "--slots",
                "6",
                "--checkpoint-interval",
                "2s",
                "--default-tenant",
                "acme",
                "--text",
                "logs=Note,detail,note;request_log=path",
                "--columns",
                "logs=Code:bigint,when:timestamp,code:bigint;request_log=ip:varchar",
                "--flush-size",
                "1mb",
                "--small-size",
                "65536",
                "--min-age",
                "0s",
                "--outage-budget",
                "0s",
                "--max-age",
                "30m",
                "--accept-loss",
                "true",
                "--require-tokens",
                "--rest-port",
                "0");
        assertThat(options.streams()).containsExactly("logs", "request_log");
        assertThat(options.parallelism()).isEqualTo(4);
        assertThat(options.slots()).isEqualTo(6);
        assertThat(options.checkpointInterval()).isEqualTo(Duration.ofSeconds(2));
        assertThat(options.build().policy().defaultTenant()).isEqualTo("acme");
        assertThat(options.build().policy().textColumns("logs"))
                .isEqualTo(TextColumns.withNames(Set.of("note", "detail")));
        assertThat(options.build().policy().textColumns("request_log"))
                .isEqualTo(TextColumns.withNames(Set.of("path")));
        assertThat(options.build().columns())
                .isEqualTo(new DeclaredColumns(Map.of(
                        "logs",
                        List.of(new Declared("code", ColumnType.BIGINT), new Declared("when", ColumnType.TIMESTAMP)),
                        "request_log",
                        List.of(new Declared("ip", ColumnType.VARCHAR)))));
        assertThat(options.build().flushBytes()).isEqualTo(1 << 20);
        assertThat(options.build().smallBytes()).isEqualTo(1 << 16);
        assertThat(options.build().tinyBytes()).isEqualTo(1 << 16);
        assertThat(options.build().minAge()).isZero();
        assertThat(options.build().smallAge()).isEqualTo(Duration.ofMinutes(30));
        assertThat(options.outageBudget()).isZero();
        assertThat(options.build().maxAge()).isEqualTo(Duration.ofMinutes(30));
        assertThat(options.acceptLoss()).isTrue();
        assertThat(options.build().policy().requireToken()).isTrue();
        assertThat(parse("--require-tokens", "false").build().policy().requireToken())
                .isFalse();
        assertThat(options.restPort()).isZero();
    }

    @Test
    void saysWhatIsWrong() {
        assertThatThrownBy(() -> parseAll("--streams", "logs"))
                .isInstanceOf(ParameterException.class)
                .hasMessageStartingWith("Missing required options: '--bootstrap-servers=HOST:PORT,...'");
        assertThatThrownBy(() -> parse("--colour", "red")).hasMessageStartingWith("Unknown options: '--colour'");
        assertThatThrownBy(() -> parse("--streams")).hasMessageStartingWith("Missing required parameter");
        assertThatThrownBy(() -> parse("--streams", "logs,OrderEvents"))
                .hasMessageContaining("--streams")
                .hasMessageEndingWith(
                        "'OrderEvents' cannot be the name of a stream: SQL finds tables by names in lower case; ship to a topic 'orderevents'");
        assertThatThrownBy(() -> parse("--streams", "logs,,more"))
                .hasMessageContaining("'' cannot be the name of a stream: 1 to 249 of");
        assertThatThrownBy(() -> parse("--max-age", "soon"))
                .hasMessageContaining("--max-age")
                .hasMessageEndingWith("'soon' is not a time from 1 ms, such as 30s, 5min, 1h or 1d");
        assertThatThrownBy(() -> parse("--max-age", "0s")).hasMessageContaining("'0s' is not a time from 1 ms");
        assertThatThrownBy(() -> parse("--flush-size", "big"))
                .hasMessageEndingWith("'big' is not a size from 1 kb, such as 64mb or 1gb");
        assertThatThrownBy(() -> parse("--parallelism", "0")).hasMessageEndingWith("'0' is not a whole number from 1");
        assertThatThrownBy(() -> parse("--slots", "-1")).hasMessageEndingWith("'-1' is not a whole number from 0");
        assertThatThrownBy(() -> parse("--zstd-level", "23"))
                .hasMessageEndingWith("'23' is not a whole number from 1 to 22");
        assertThatThrownBy(() -> parse("--redis", "nowhere"))
                .hasMessageEndingWith("'nowhere' is not an address such as redis://127.0.0.1:6379");
        assertThatThrownBy(() -> parse("--accept-loss", "maybe")).hasMessageEndingWith("'maybe' is not true or false");
        assertThatThrownBy(() -> parse("--min-age", "7h"))
                .hasMessage("the options are inconsistent: minAge PT7H is above maxAge PT6H");
        assertThatThrownBy(() -> parse("--min-age", "2h", "--small-age", "1h"))
                .hasMessage("the options are inconsistent: minAge PT2H is above smallAge PT1H");
        assertThatThrownBy(() -> parse("--small-age", "2h", "--max-age", "1h"))
                .hasMessage("the options are inconsistent: smallAge PT2H is above maxAge PT1H");
        assertThatThrownBy(() -> parse("--text", "logs")).hasMessage("--text: 'logs' is not STREAM=name,...");
        assertThatThrownBy(() -> parse("--text", "other=path")).hasMessage("--text: there is no stream other");
        assertThatThrownBy(() -> parse("--columns", "logs=code:decimal"))
                .hasMessage(
                        "--columns: 'code:decimal' is not name:type with type varchar, bigint, double, boolean or timestamp");
        assertThatThrownBy(() -> parse("--columns", "logs"))
                .hasMessage("--columns: 'logs' is not STREAM=name:type,...");
        assertThatThrownBy(() -> parse("--columns", "other=ip:varchar"))
                .hasMessage("--columns: there is no stream other");
        assertThatThrownBy(() -> parse("--columns", "logs=ts:timestamp"))
                .hasMessage("--columns: 'ts' is a reserved column name");
        assertThatThrownBy(() -> parse("--columns", "logs=a:bigint", "--columns", "logs=A:double"))
                .hasMessage("--columns: column 'a' is declared with two types");
        assertThatThrownBy(() -> parse("--default-tenant", "\u00e4" + "x".repeat(127)))
                .hasMessageEndingWith("an id has 1 to 128 bytes, not 129");
        assertThatThrownBy(() -> parse("--kafka-properties", "/nowhere")).hasMessageContaining("cannot read /nowhere");
    }

    @Test
    void smallTenantsWaitAnHourUnlessOtherAgesForbidIt() {
        assertThat(parse("--max-age", "20min").build().smallAge()).isEqualTo(Duration.ofMinutes(20));
        assertThat(parse("--min-age", "2h").build().smallAge()).isEqualTo(Duration.ofHours(2));
        assertThat(parse("--small-age", "3h").build().smallAge()).isEqualTo(Duration.ofHours(3));
    }

    @Test
    void theArgumentsOfStreamsAreReadAsTheSame() {
        StreamOptions streams = new StreamOptions(
                List.of("logs", "request_log"),
                DeclaredColumns.parse("logs=code:bigint,when:timestamp;request_log=ip:varchar"),
                Map.of("logs", Set.of("note", "detail"), "request_log", Set.of("path")),
                Optional.of("acme"));
        IngestOptions options = parse(streams.arguments().toArray(String[]::new));
        assertThat(options.streams()).isEqualTo(streams.streams());
        assertThat(options.build().columns()).isEqualTo(streams.columns());
        assertThat(options.build().policy()).isEqualTo(streams.policy());
    }

    private static IngestOptions parse(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--bootstrap-servers", "k:9092", "--catalog-uri", "http://c:8181", "--checkpoint-dir", "/tmp/chk"));
        arguments.addAll(List.of(more));
        return parseAll(arguments.toArray(String[]::new));
    }

    private static IngestOptions parseAll(String... arguments) {
        return Program.parse(new Command(), arguments).orElseThrow().flags.options();
    }

    @CommandLine.Command
    private static final class Command {
        @Mixin
        private IngestFlags flags;
    }
}
