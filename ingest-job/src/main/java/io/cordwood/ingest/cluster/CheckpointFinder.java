package io.cordwood.ingest.cluster;

import java.io.DataInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the newest completed checkpoint, of whichever run of the job. Stateless.
 *
 * <p>Flink writes {@code <dir>/<job id>/chk-<n>/_metadata} last, so a checkpoint without it was cut off. One that cannot
 * be read is passed over: an older one, or none, gives the same rows, later.
 */
final class CheckpointFinder {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointFinder.class);

    private CheckpointFinder() {}

    /** URI of the newest checkpoint below a directory that can be read. */
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
                .filter(metadata -> isReadable(files, metadata))
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

    private static boolean isReadable(FileSystem files, Path metadata) {
        try (DataInputStream in = new DataInputStream(files.open(metadata))) {
            Checkpoints.loadCheckpointMetadata(
                    in,
                    CheckpointFinder.class.getClassLoader(),
                    metadata.getParent().toString());
            return true;
        } catch (IOException e) {
            LOG.warn("Passing over checkpoint {}: {}", metadata.getParent(), e.getMessage());
            return false;
        }
    }
}
