package io.cordwood.ingest.cluster;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The classes of a JVM with some class path, parsed and verified, for later JVMs with the same class path to share
 * (class data sharing): most of the time of a start goes to them. A JVM writes it as it ends, unless it is killed, into
 * the module's {@code target}; a JVM that finds it outdated does without. Thread-safe.
 *
 * @param file where the archive is or will be
 */
record ClassArchive(Path file) {
    private static final String PREFIX = "classes-";

    /** The archive for this class path, which may not exist yet. */
    static ClassArchive of(List<String> classPath) throws IOException {
        long hash = classPath.hashCode();
        for (String entry : classPath) {
            hash = 31 * hash + Files.getLastModifiedTime(Path.of(entry)).toMillis();
        }
        return new ClassArchive(
                Path.of("target", "%s%016x.jsa".formatted(PREFIX, hash)).toAbsolutePath());
    }

    /** The option of a JVM that shares the classes, if there are any. */
    String option() {
        return "-XX:SharedArchiveFile=" + file;
    }

    /** The next JVM's recording; empty if the archive exists. */
    Optional<Recording> record() {
        return Files.exists(file)
                ? Optional.empty()
                : Optional.of(new Recording(file.resolveSibling(UUID.randomUUID() + ".jsa"), file));
    }

    /**
     * The classes of one JVM.
     *
     * @param written where the JVM writes them
     * @param file where later JVMs look for them
     */
    record Recording(Path written, Path file) {
        /** The option of the JVM. */
        String option() {
            return "-XX:ArchiveClassesAtExit=" + written;
        }

        /**
         * Notes that the JVM has ended. It may have been unable to write the classes.
         *
         * @param keep whether later JVMs are to share the classes
         */
        void end(boolean keep) throws IOException {
            if (keep && Files.exists(written)) {
                deleteEarlier();
                Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
            } else {
                Files.deleteIfExists(written);
            }
        }

        /** Deletes the archives of other builds: each takes 100 MB. */
        private void deleteEarlier() throws IOException {
            try (DirectoryStream<Path> earlier = Files.newDirectoryStream(file.getParent(), PREFIX + "*.jsa")) {
                for (Path each : earlier) {
                    Files.deleteIfExists(each);
                }
            }
        }
    }
}
