package io.cordwood.ingest.cluster;

import java.io.DataInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the newest completed checkpoint, of whichever run of the job. Stateless.
 *
 * <p>Flink writes {@code <dir>/<job id>/chk-<n>/_metadata} last, so a checkpoint without it was cut off. One that cannot
 * be read, or whose state lacks a file or a part of one, is passed over: an older one, or none, gives the same rows,
 * later. What the files hold is not looked at; see {@link RestoreFailures}.
 */
final class CheckpointFinder {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointFinder.class);

    private CheckpointFinder() {}

    /** URI of the newest whole checkpoint below a directory. */
    static Optional<String> newest(String directory) throws IOException {
        Path root = new Path(directory);
        FileSystem files = root.getFileSystem();
        List<FileStatus> found = new ArrayList<>();
        for (FileStatus job : list(files, root)) {
            for (FileStatus checkpoint : list(files, job.getPath())) {
                if (checkpoint
                        .getPath()
                        .getName()
                        .startsWith(AbstractFsCheckpointStorageAccess.CHECKPOINT_DIR_PREFIX)) {
                    metadata(files, checkpoint.getPath()).ifPresent(found::add);
                }
            }
        }
        found.sort(Comparator.comparingLong(FileStatus::getModificationTime)
                .thenComparing(metadata -> number(metadata.getPath()))
                .reversed());
        return found.stream()
                .map(FileStatus::getPath)
                .filter(metadata -> isWhole(files, metadata))
                .map(metadata -> metadata.getParent().toUri().toString())
                .findFirst();
    }

    private static FileStatus[] list(FileSystem files, Path directory) throws IOException {
        try {
            FileStatus[] listed = files.listStatus(directory);
            return listed == null ? new FileStatus[0] : listed;
        } catch (FileNotFoundException e) {
            return new FileStatus[0];
        }
    }

    private static Optional<FileStatus> metadata(FileSystem files, Path checkpoint) throws IOException {
        try {
            return Optional.of(
                    files.getFileStatus(new Path(checkpoint, AbstractFsCheckpointStorageAccess.METADATA_FILE_NAME)));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    private static long number(Path metadata) {
        String name = metadata.getParent().getName();
        return Long.parseLong(name.substring(AbstractFsCheckpointStorageAccess.CHECKPOINT_DIR_PREFIX.length()));
    }

    private static boolean isWhole(FileSystem files, Path metadata) {
        Path directory = metadata.getParent();
        try (DataInputStream in = new DataInputStream(files.open(metadata))) {
            CheckpointMetadata checkpoint = Checkpoints.loadCheckpointMetadata(
                    in, CheckpointFinder.class.getClassLoader(), directory.toString());
            for (OperatorState operator : checkpoint.getOperatorStates()) {
                for (OperatorSubtaskState subtask : operator.getStates()) {
                    for (StreamStateHandle handle : streams(subtask).toList()) {
                        requireWhole(files, handle);
                    }
                }
            }
            return true;
        } catch (IOException e) {
            LOG.error("Passing over checkpoint {}, which is damaged: {}", directory, e.toString());
            return false;
        }
    }

    private static Stream<StreamStateHandle> streams(OperatorSubtaskState subtask) {
        Stream<StreamStateHandle> operator = Stream.concat(
                        subtask.getManagedOperatorState().stream(), subtask.getRawOperatorState().stream())
                .map(OperatorStateHandle::getDelegateStateHandle);
        Stream<StreamStateHandle> keyed = Stream.concat(
                        subtask.getManagedKeyedState().stream(), subtask.getRawKeyedState().stream())
                .flatMap(CheckpointFinder::streams);
        return Stream.concat(operator, keyed);
    }

    private static Stream<StreamStateHandle> streams(KeyedStateHandle handle) {
        return switch (handle) {
            case IncrementalRemoteKeyedStateHandle incremental -> incremental.streamSubHandles();
            case StreamStateHandle stream -> Stream.of(stream);
            default -> Stream.of();
        };
    }

    /** State in the metadata itself has no file. */
    private static void requireWhole(FileSystem files, StreamStateHandle handle) throws IOException {
        if (handle.maybeGetPath().isPresent()) {
            Path file = handle.maybeGetPath().get();
            long length = files.getFileStatus(file).getLen();
            if (length < handle.getStateSize()) {
                throw new IOException(
                        "File %s has %d bytes instead of %d".formatted(file, length, handle.getStateSize()));
            }
        }
    }
}
