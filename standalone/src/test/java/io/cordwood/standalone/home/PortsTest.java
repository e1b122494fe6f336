package io.cordwood.standalone.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.standalone.error.CordwoodException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PortsTest {
    @TempDir
    private Path directory;

    private Home home;

    @BeforeEach
    void makeHome() {
        home = new Home(directory);
    }

    @Test
    void areChosenOnceAndKept() {
        Ports first = Ports.of(home, List.of("kafka", "trino"));
        Ports second = Ports.of(home, List.of("kafka", "trino", "flink"));

        assertThat(second.of("kafka")).isEqualTo(first.of("kafka"));
        assertThat(second.of("trino")).isEqualTo(first.of("trino"));
        assertThat(IntStream.of(second.of("kafka"), second.of("trino"), second.of("flink")))
                .doesNotHaveDuplicates();
        assertThat(second.address("kafka")).isEqualTo("127.0.0.1:" + first.of("kafka"));
    }

    @Test
    void inUseIsReportedInOneLine() throws Exception {
        Ports ports = Ports.of(home, List.of("kafka"));
        assertThatCode(() -> ports.checkFree(List.of("kafka"))).doesNotThrowAnyException();

        try (ServerSocket other = new ServerSocket(ports.of("kafka"), 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> ports.checkFree(List.of("kafka")))
                    .isInstanceOf(CordwoodException.class)
                    .hasMessageStartingWith("another program uses port " + other.getLocalPort() + " (kafka)")
                    .message()
                    .hasLineCount(1);
        }
    }

    @Test
    void damagedFileIsReported() throws Exception {
        Files.writeString(home.ports(), "{");

        assertThatThrownBy(() -> Ports.of(home, List.of("kafka")))
                .isInstanceOf(CordwoodException.class)
                .hasMessageContaining("remove it");
    }
}
