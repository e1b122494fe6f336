package io.cordwood.query;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.query.error.QueryException;
import io.cordwood.query.snapshot.HotTierReader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueryEngineTest {
    @Test
    void aDirectoryForTheDiskCacheThatCannotBeWrittenToIsNamed(@TempDir Path directory) throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        QuerySettings settings = new QuerySettings(
                URI.create("http://127.0.0.1:1"),
                Map.of(),
                List.of("logs"),
                Duration.ofSeconds(1),
                Duration.ofMinutes(1),
                1,
                1,
                new QuerySettings.Caches(0, 0, 0, 0, 0, 0, Optional.of(file), 1 << 20),
                new HotTierReader.Settings(
                        Optional.empty(), Optional.empty(), Optional.empty(), Duration.ofSeconds(1), 0, "", false, 0));
        assertThatThrownBy(() -> new QueryEngine(settings))
                .isInstanceOf(QueryException.class)
                .hasMessageContaining("disk cache")
                .hasMessageContaining(file.toString());
    }
}
