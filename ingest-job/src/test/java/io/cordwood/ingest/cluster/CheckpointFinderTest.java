package io.cordwood.ingest.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.ingest.runtime.IngestException;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.OperatorStreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointFinderTest {
    private static final int STATE_BYTES = 1000;

    @TempDir
    Path root;

    private Path older;
    private Path newer;

    @BeforeEach
    void takeCheckpoints() throws IOException {
        older = checkpoint(9);
        newer = checkpoint(10);
    }

    @Test
    void findsTheNewest() throws Exception {
        assertThat(newest()).contains(newer);
    }

    @Test
    void passesOverMetadataThatAreCutOff() throws Exception {
        byte[] whole = Files.readAllBytes(metadata(newer));
        for (int length = 0; length < whole.length - 4; length++) {
            damage(Arrays.copyOf(whole, length));
            assertThat(newest()).as("first %d bytes", length).contains(older);
        }
    }

    @Test
    void passesOverMetadataThatAreOverwritten() throws Exception {
        byte[] whole = Files.readAllBytes(metadata(newer));
        for (int from = 0; from < whole.length - 4; from++) {
            for (byte by : new byte[] {0, 7, -1}) {
                byte[] damaged = whole.clone();
                Arrays.fill(damaged, from, Math.min(whole.length, from + 4), by);
                damage(damaged);
                // Numbers that nothing depends on may be others; no damage keeps the job from starting.
                assertThat(newest()).as("bytes from %d on are %d", from, by).isPresent();
            }
        }
        byte[] noise = new byte[whole.length];
        new Random(1).nextBytes(noise);
        damage(noise);
        assertThat(newest()).contains(older);
    }

    @Test
    void passesOverStateThatIsMissingOrShort() throws Exception {
        Files.write(state(newer), new byte[STATE_BYTES - 1]);
        assertThat(newest()).contains(older);
        Files.delete(state(newer));
        assertThat(newest()).contains(older);
        Files.delete(state(older));
        assertThat(newest()).isEmpty();
    }

    @Test
    void doesNotTakeAnUnreadableFileForAMissingOne() throws Exception {
        Files.delete(state(newer));
        Files.createSymbolicLink(state(newer), state(newer));
        assertThatThrownBy(this::newest).isInstanceOf(IOException.class).hasMessageContaining("symbolic links");

        Files.delete(state(newer));
        Files.write(state(newer), new byte[STATE_BYTES]);
        Files.delete(metadata(newer));
        // A directory cannot be opened, though it is there.
        Files.createDirectory(metadata(newer));
        assertThatThrownBy(this::newest).isInstanceOf(FileNotFoundException.class);
    }

    /** Rows of a topic that was made anew are nowhere else. */
    @Test
    void keepsDamagedOnesWithoutWhichRowsAreLost() throws Exception {
        Files.delete(state(newer));
        assertThat(newest(Optional.of("rows of another topic"))).contains(older);
        Files.delete(state(older));
        assertThatThrownBy(() -> newest(Optional.of("rows of another topic")))
                .isInstanceOf(IngestException.class)
                .hasMessageContaining("is kept, because without it rows would be lost: rows of another topic")
                .hasMessageContaining("--accept-loss");
        assertThat(metadata(older)).exists();
    }

    @Test
    void nothingIsAskedWhereThereWasNoCheckpoint(@TempDir Path empty) throws Exception {
        assertThat(CheckpointFinder.newest(empty.toUri().toString(), () -> {
                    throw new AssertionError("asked");
                }))
                .isEmpty();
    }

    private Optional<Path> newest() throws IOException {
        return newest(Optional.empty());
    }

    private Optional<Path> newest(Optional<String> lost) throws IOException {
        return CheckpointFinder.newest(root.toUri().toString(), () -> lost)
                .map(URI::create)
                .map(Path::of);
    }

    private void damage(byte[] bytes) throws IOException {
        Files.write(metadata(newer), bytes);
        touch(newer, 10);
    }

    private Path checkpoint(int number) throws IOException {
        Path directory = Files.createDirectories(root.resolve("job").resolve("chk-" + number));
        Files.write(state(directory), new byte[STATE_BYTES]);
        OperatorState operator = new OperatorState("operator", "uid", new OperatorID(1, 2), 1, 128);
        operator.putState(
                0,
                OperatorSubtaskState.builder()
                        .setManagedOperatorState(new OperatorStreamStateHandle(
                                Map.of(),
                                new FileStateHandle(
                                        new org.apache.flink.core.fs.Path(
                                                state(directory).toUri()),
                                        STATE_BYTES)))
                        .build());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Checkpoints.storeCheckpointMetadata(new CheckpointMetadata(number, List.of(operator), List.of()), bytes);
        Files.write(metadata(directory), bytes.toByteArray());
        touch(directory, number);
        return directory;
    }

    private static void touch(Path directory, int second) throws IOException {
        Files.setLastModifiedTime(metadata(directory), FileTime.fromMillis(second * 1000L));
    }

    private static Path metadata(Path directory) {
        return directory.resolve("_metadata");
    }

    private static Path state(Path directory) {
        return directory.resolve("state");
    }
}
