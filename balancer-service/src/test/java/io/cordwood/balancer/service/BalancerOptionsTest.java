package io.cordwood.balancer.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.options.Program;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

class BalancerOptionsTest {
    private static BalancerOptions parse(String... more) {
        List<String> arguments = new ArrayList<>(List.of("--bootstrap-servers", "k:9092", "--redis", "redis://r:6379"));
        arguments.addAll(Arrays.asList(more));
        return parseAll(arguments);
    }

    private static BalancerOptions parseAll(List<String> arguments) {
        return Program.parse(new Command(), arguments.toArray(String[]::new))
                .orElseThrow()
                .flags
                .options();
    }

    @CommandLine.Command
    private static final class Command {
        @Mixin
        private BalancerFlags flags;
    }

    @Test
    void defaults() {
        BalancerOptions options = parse();
        assertThat(options.kafka()).isEqualTo(Map.of("bootstrap.servers", "k:9092"));
        assertThat(options.redis()).isEqualTo(URI.create("redis://r:6379"));
        assertThat(options.flink()).isEmpty();
        assertThat(options.streams()).containsExactly("logs");
        assertThat(options.host()).isEqualTo("127.0.0.1");
        assertThat(options.port()).isZero();
        assertThat(options.interval()).isEqualTo(Duration.ofSeconds(5));
        assertThat(options.lease()).isEqualTo(Duration.ofSeconds(5));
        assertThat(options.window()).isEqualTo(Duration.ofSeconds(15));
        assertThat(options.stale()).isEqualTo(Duration.ofMinutes(1));
        assertThat(options.hotRounds()).isEqualTo(2);
        assertThat(options.capacities()).isEqualTo(new Capacities(10e6, 20e6, 0.85));
        assertThat(options.groupId()).isEqualTo("cordwood-ingest");
        assertThat(options.maxPartitions()).isZero();
        assertThat(options.maxWorkers()).isZero();
        assertThat(options.quotas()).isFalse();
    }

    @Test
    void explicitValues() {
        BalancerOptions options = parse(
                "--flink", "http://f:1",
                "--streams", "logs,request_log",
                "--host", "0.0.0.0",
                "--port", "8",
                "--interval-ms", "100",
                "--lease-ms", "200",
                "--window-ms", "250",
                "--stale-ms", "300",
                "--hot-rounds", "3",
                "--partition-capacity", "1e6",
                "--worker-capacity", "2e6",
                "--watermark", "0.5",
                "--group-id", "g",
                "--max-partitions", "12",
                "--max-workers", "6",
                "--quotas", "true");
        assertThat(options)
                .isEqualTo(new BalancerOptions(
                        options.kafka(),
                        URI.create("redis://r:6379"),
                        "http://f:1",
                        List.of("logs", "request_log"),
                        "0.0.0.0",
                        8,
                        Duration.ofMillis(100),
                        Duration.ofMillis(200),
                        Duration.ofMillis(250),
                        Duration.ofMillis(300),
                        3,
                        new Capacities(1e6, 2e6, 0.5),
                        "g",
                        12,
                        6,
                        true,
                        Optional.empty()));
    }

    @Test
    void wrongOptionsAreNamed() {
        assertThatThrownBy(() -> parseAll(List.of("--redis", "redis://r:6379")))
                .hasMessage("Missing required option: '--bootstrap-servers=HOST:PORT,...'");
        assertThatThrownBy(() -> parse("--colour", "red")).hasMessageStartingWith("Unknown options: '--colour'");
        assertThatThrownBy(() -> parse("--port")).hasMessageStartingWith("Missing required parameter");
        assertThatThrownBy(() -> parse("--port", "many"))
                .hasMessageContaining("'many' is not a whole number from 0 to 65535");
        assertThatThrownBy(() -> parse("--watermark", "2")).hasMessageContaining("'2' is not a number from 0.01 to 1");
        assertThatThrownBy(() -> parse("--quotas", "maybe")).hasMessageContaining("'maybe' is not true or false");
        assertThatThrownBy(() -> parse("--max-workers", "4")).hasMessageStartingWith("--max-workers needs --flink");
        assertThatThrownBy(() -> parse("--redis", "nowhere")).hasMessageContaining("redis://127.0.0.1:6379");
        assertThatThrownBy(() -> parse("--kafka-properties", "nowhere")).hasMessageContaining("cannot read nowhere");
    }
}
