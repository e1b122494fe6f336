package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.airlift.units.DataSize;
import io.cordwood.trino.config.CordwoodConfig;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CordwoodModuleTest {
    @Test
    void aDirectoryThatCannotBeWrittenToIsNamedWithItsProperty(@TempDir Path directory) throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        CordwoodConfig config = new CordwoodConfig()
                .setCatalogUri(URI.create("http://127.0.0.1:1"))
                .setDiskCacheDirectory(file.toFile())
                .setDiskCacheSize(DataSize.of(1, DataSize.Unit.MEGABYTE));
        assertThatThrownBy(() -> CordwoodModule.engine(config))
                .hasMessageContaining("cordwood.disk-cache-directory")
                .hasMessageContaining(file.toString());
    }
}
