package io.cordwood.ingest.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenResourcesTest {
    private final List<String> closed = new ArrayList<>();

    @Test
    void closesWhatWasOpenedIfALaterOneCannotBe() {
        assertThatThrownBy(() -> {
                    try (OpenResources clients = new OpenResources()) {
                        clients.add(client("first"));
                        clients.add(client("second"));
                        clients.add(unreachable());
                    }
                })
                .hasMessage("unreachable");
        assertThat(closed).containsExactly("second", "first");
    }

    @Test
    void closesAllThoughOneFails() {
        try (OpenResources clients = new OpenResources()) {
            clients.add(client("first"));
            clients.add(() -> {
                throw new IllegalStateException("cannot be closed");
            });
        }
        assertThat(closed).containsExactly("first");
    }

    @Test
    void leavesWhatIsKeptOpen() {
        try (OpenResources clients = new OpenResources()) {
            clients.add(client("first"));
            clients.keep();
        }
        assertThat(closed).isEmpty();
    }

    private AutoCloseable client(String name) {
        return () -> closed.add(name);
    }

    private static AutoCloseable unreachable() {
        throw new IngestException("unreachable");
    }
}
