package io.cordwood.ingest.cluster;

import io.cordwood.ingest.runtime.IngestException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.apache.flink.core.fs.FileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lock that reserves a checkpoint directory for one cluster: a second one would take over the first one's checkpoints
 * and delete them. The operating system releases it at any end of the process. Object stores have no such locks, so
 * there it does nothing. Thread-safe.
 */
final class CheckpointLock implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointLock.class);
    private static final String FILE = ".lock";

    private final Optional<FileChannel> file;

    private CheckpointLock(Optional<FileChannel> file) {
        this.file = file;
    }

    /**
     * Acquires the lock, and creates the directory if necessary.
     *
     * @param directory URI
     * @throws IngestException if another cluster holds it, or the directory is not writable
     */
    static CheckpointLock take(String directory) {
        org.apache.flink.core.fs.Path root = new org.apache.flink.core.fs.Path(directory);
        try {
            FileSystem files = root.getFileSystem();
            if (files.isDistributedFS()) {
                LOG.info("No lock keeps another cluster from using {}; ensure that none does", directory);
                return new CheckpointLock(Optional.empty());
            }
            return new CheckpointLock(Optional.of(lock(Path.of(root.toUri().getPath()))));
        } catch (IOException e) {
            throw new IngestException("Cannot write to the checkpoint directory %s: %s".formatted(directory, e), e);
        }
    }

    private static FileChannel lock(Path directory) throws IOException {
        Files.createDirectories(directory);
        FileChannel channel =
                FileChannel.open(directory.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (!isFree(channel)) {
            channel.close();
            throw new IngestException(
                    "Checkpoint directory %s is in use by another ingest cluster; stop that one first, or give this one a --checkpoint-dir of its own"
                            .formatted(directory));
        }
        return channel;
    }

    /** Acquires the lock, which the channel keeps until it is closed, unless another process or this one holds it. */
    private static boolean isFree(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    @Override
    public void close() {
        file.ifPresent(channel -> {
            try {
                channel.close();
            } catch (IOException e) {
                LOG.warn("Cannot release the checkpoint directory; the end of the process will release it", e);
            }
        });
    }
}
