package io.cordwood.ingest.cluster;

import io.cordwood.ingest.runtime.IngestException;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.flink.core.fs.FSDataInputStream;
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
 * Finds the newest completed checkpoint of any run of the job. Stateless.
 *
 * <p>Flink writes {@code <dir>/<job id>/chk-<n>/_metadata} last, so a checkpoint without it is incomplete. A checkpoint
 * is skipped if its metadata is unreadable, or its state lacks a file or a part of one. An older checkpoint gives the
 * same rows, later. So does a start without a checkpoint, unless Kafka no longer has the rows that the checkpoint held.
 * This class does not check the content of files; see {@link RestoreFailures}.
 */
final class CheckpointFinder {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointFinder.class);

    private CheckpointFinder() {}

    /**
     * URI of the newest whole checkpoint below a directory.
     *
     * @param lost the loss without a checkpoint, in words; requested only if all existing checkpoints are damaged
     * @throws IOException if files are inaccessible: this is not damage, and may be temporary
     * @throws IngestException if all are damaged, and a start without them would lose rows
     */
    static Optional<String> newest(String directory, Supplier<Optional<String>> lost) throws IOException {
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
        for (FileStatus metadata : found) {
            Path checkpoint = metadata.getPath().getParent();
            Optional<String> damage = damage(files, metadata.getPath());
            if (damage.isEmpty()) {
                return Optional.of(checkpoint.toUri().toString());
            }
            LOG.error("Skipping checkpoint {}, which is damaged: {}", checkpoint, damage.get());
        }
        if (!found.isEmpty()) {
            requireNothingLost(directory, lost.get());
        }
        return Optional.empty();
    }

    private static void requireNothingLost(String directory, Optional<String> lost) {
        if (lost.isPresent()) {
            String alarm =
                    "The checkpoint in %s is damaged, as the errors above say, but is kept, because without it rows would be lost: %s; restore its files from a copy or repair their disk, or, to continue without the rows, start once with --accept-loss true"
                            .formatted(directory, lost.get());
            LOG.error(alarm);
            throw new IngestException(alarm);
        }
    }

    /**
     * The reason why a job cannot start from a checkpoint or a savepoint; empty if none is visible from outside.
     *
     * @throws IOException if files are inaccessible: this is not damage, and may be temporary
     */
    static Optional<String> damage(String directory) throws IOException {
        Path checkpoint = new Path(directory);
        return damage(
                checkpoint.getFileSystem(), new Path(checkpoint, AbstractFsCheckpointStorageAccess.METADATA_FILE_NAME));
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
        Path metadata = new Path(checkpoint, AbstractFsCheckpointStorageAccess.METADATA_FILE_NAME);
        try {
            return Optional.of(files.getFileStatus(metadata));
        } catch (FileNotFoundException e) {
            requireMissing(files, metadata, e);
            return Optional.empty();
        }
    }

    private static long number(Path metadata) {
        String name = metadata.getParent().getName();
        return Long.parseLong(name.substring(AbstractFsCheckpointStorageAccess.CHECKPOINT_DIR_PREFIX.length()));
    }

    /** The damage of a checkpoint; empty if there is none. */
    private static Optional<String> damage(FileSystem files, Path metadata) throws IOException {
        byte[] bytes;
        try (FSDataInputStream in = files.open(metadata)) {
            bytes = in.readAllBytes();
        } catch (FileNotFoundException e) {
            requireMissing(files, metadata, e);
            return Optional.of("File %s is gone".formatted(metadata));
        }
        CheckpointMetadata checkpoint;
        try {
            checkpoint = Checkpoints.loadCheckpointMetadata(
                    new DataInputStream(new ByteArrayInputStream(bytes)),
                    CheckpointFinder.class.getClassLoader(),
                    metadata.getParent().toString());
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            // The bytes are already in memory, so a failure comes from the parser; a damaged length may request any
            // amount of memory.
            return Optional.of("File %s is unreadable: %s".formatted(metadata, e));
        }
        for (OperatorState operator : checkpoint.getOperatorStates()) {
            for (OperatorSubtaskState subtask : operator.getStates()) {
                for (StreamStateHandle handle : streams(subtask).toList()) {
                    Optional<String> damage = damage(files, handle);
                    if (damage.isPresent()) {
                        return damage;
                    }
                }
            }
        }
        return Optional.empty();
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
    private static Optional<String> damage(FileSystem files, StreamStateHandle handle) throws IOException {
        if (handle.maybeGetPath().isEmpty()) {
            return Optional.empty();
        }
        Path file = handle.maybeGetPath().get();
        try {
            long length = files.getFileStatus(file).getLen();
            return length < handle.getStateSize()
                    ? Optional.of("File %s has %d bytes instead of %d".formatted(file, length, handle.getStateSize()))
                    : Optional.empty();
        } catch (FileNotFoundException e) {
            requireMissing(files, file, e);
            return Optional.of("File %s is missing".formatted(file));
        }
    }

    /**
     * Checks that a file does not exist: on local disks, an inaccessible file is reported as missing too.
     *
     * @throws IOException if it may exist
     */
    private static void requireMissing(FileSystem files, Path file, FileNotFoundException notFound) throws IOException {
        if (files.isDistributedFS()) {
            return;
        }
        try {
            Files.readAttributes(java.nio.file.Path.of(file.getPath()), BasicFileAttributes.class);
        } catch (NoSuchFileException | InvalidPathException e) {
            return;
        }
        throw notFound;
    }
}
