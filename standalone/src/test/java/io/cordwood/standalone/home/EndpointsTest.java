package io.cordwood.standalone.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.standalone.error.CordwoodException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EndpointsTest {
    @TempDir
    private Path directory;

    @Test
    void keysAreTheContract() {
        Home home = new Home(directory);
        Endpoints endpoints = new Endpoints(
                "127.0.0.1:1",
                "redis://127.0.0.1:2",
                "http://c",
                "http://f",
                "http://m",
                "",
                "http://t",
                "http://s",
                "http://g",
                "127.0.0.1:3",
                "127.0.0.1:4",
                "file:///w",
                "");

        endpoints.write(home);

        assertThat(home.endpoints())
                .hasContent(
                        "{\"kafka\":\"127.0.0.1:1\",\"redis\":\"redis://127.0.0.1:2\",\"catalog\":\"http://c\","
                                + "\"flink\":\"http://f\",\"compaction\":\"http://m\",\"balancer\":\"\",\"trino\":\"http://t\",\"search\":\"http://s\",\"gateway\":\"http://g\",\"otlp_grpc\":\"127.0.0.1:3\",\"syslog\":\"127.0.0.1:4\",\"warehouse\":\"file:///w\"}");
        assertThat(Endpoints.read(home)).isEqualTo(endpoints);
    }

    @Test
    void absentMeansThatNoStackIsReady() {
        assertThatThrownBy(() -> Endpoints.read(new Home(directory)))
                .isInstanceOf(CordwoodException.class)
                .hasMessage("no stack is ready in %s: start one with `bin/cordwood up`", directory);
    }
}
