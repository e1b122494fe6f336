package io.cordwood.ingest.cluster;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.ingest.runtime.IngestException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointLockTest {
    @TempDir
    Path home;

    @Test
    void keepsADirectoryToOne() {
        String directory = home.resolve("checkpoints").toUri().toString();
        CheckpointLock first = CheckpointLock.take(directory);
        assertThatThrownBy(() -> CheckpointLock.take(directory))
                .isInstanceOf(IngestException.class)
                .hasMessage(
                        "Checkpoint directory %s is in use by another ingest cluster; stop that one first, or give this one a --checkpoint-dir of its own",
                        home.resolve("checkpoints"));
        first.close();
        assertThatCode(() -> CheckpointLock.take(directory).close()).doesNotThrowAnyException();
    }

    @Test
    void saysThatADirectoryCannotBeWrittenTo() throws Exception {
        Path file = Files.writeString(home.resolve("file"), "no directory");
        assertThatThrownBy(() -> CheckpointLock.take(file.toUri().toString()))
                .isInstanceOf(IngestException.class)
                .hasMessageStartingWith("Cannot write to the checkpoint directory file:");
    }
}
