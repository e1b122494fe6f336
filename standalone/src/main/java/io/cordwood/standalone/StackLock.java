package io.cordwood.standalone;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.home.Home;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * A lock of a home: one supervisor at a time holds the home's, and one process at a time that of its secrets. The
 * operating system releases it when the process ends for any reason.
 */
final class StackLock implements Closeable {
    private final FileChannel channel;

    private StackLock(FileChannel channel) {
        this.channel = channel;
    }

    /** Takes the lock; empty if another supervisor holds it. @throws CordwoodException if the home cannot be written */
    static Optional<StackLock> tryAcquire(Home home) {
        return tryAcquire(home.lock());
    }

    /** Takes the lock of those who write secrets; empty if another process does. */
    static Optional<StackLock> tryAcquireSecrets(Home home) {
        return tryAcquire(home.rotationLock());
    }

    private static Optional<StackLock> tryAcquire(Path file) {
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!isLocked(channel)) {
                channel.close();
                return Optional.empty();
            }
            return Optional.of(new StackLock(channel));
        } catch (IOException e) {
            throw new CordwoodException("cannot lock %s: %s".formatted(file, Errors.text(e)), e);
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            // Closing the channel releases the lock.
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException heldByThisProcess) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new CordwoodException("cannot unlock the home: " + Errors.text(e), e);
        }
    }
}
