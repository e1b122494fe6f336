package io.cordwood.catalog.server.backup;

import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.io.S3Settings;
import io.cordwood.catalog.io.WarehouseFileIO;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.FileInfo;

/**
 * The directory, local or in an S3 store, that holds backups: one file each, named by its time, so that their names
 * sort by age. Thread-safe.
 */
final class BackupPlace {
    private static final String PREFIX = "cordwood-catalog-";
    private static final String SUFFIX = ".zip";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

    private final WarehouseFileIO io;
    private final String place;

    /** @param place location of the directory, or of one backup in it */
    BackupPlace(WarehouseFileIO io, String place) {
        this.io = io;
        this.place = place.replaceFirst("/+$", "");
    }

    /** Copies a complete backup to the place, where it appears at once or not at all. Returns its location. */
    String put(Path backup, Instant time) throws IOException {
        String location = place + "/" + PREFIX + TIME.format(time) + SUFFIX;
        if (S3Settings.isS3(location)) {
            try (OutputStream out = io.newOutputFile(location).create()) {
                Files.copy(backup, out);
            }
        } else {
            Path target = LocalFileIO.path(location);
            Files.createDirectories(target.getParent());
            // Only its owner may read it, as it names all tenants and users
            Path temporary = Files.createTempFile(target.getParent(), target.getFileName() + ".", ".tmp");
            try {
                Files.copy(backup, temporary, StandardCopyOption.REPLACE_EXISTING);
                Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(temporary);
            }
        }
        return location;
    }

    /**
     * The location of the newest backup, or of the one that the place names.
     *
     * @throws BackupException if there is none
     */
    String newest() {
        if (place.endsWith(SUFFIX)) {
            return place;
        }
        Optional<String> newest = StreamSupport.stream(
                        io.listPrefix(place + "/").spliterator(), false)
                .map(FileInfo::location)
                .filter(location -> isBackup(location.substring(location.lastIndexOf('/') + 1)))
                .max(Comparator.comparing(location -> location.substring(location.lastIndexOf('/') + 1)));
        return newest.orElseThrow(() -> new BackupException(
                "there is no backup in %s: `bin/cordwood backup --to PLACE` makes one".formatted(place)));
    }

    private static boolean isBackup(String name) {
        return name.startsWith(PREFIX) && name.endsWith(SUFFIX);
    }

    /** Copies a backup to a local file. @throws BackupException if it cannot be read */
    static void fetch(WarehouseFileIO io, String location, Path file) {
        try (InputStream in = io.newInputFile(location).newStream()) {
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (NotFoundException e) {
            throw new BackupException("there is no backup " + location, e);
        } catch (IOException e) {
            throw new BackupException("cannot read the backup %s: %s".formatted(location, e), e);
        }
    }
}
