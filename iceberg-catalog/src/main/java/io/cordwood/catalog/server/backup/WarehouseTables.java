package io.cordwood.catalog.server.backup;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.cordwood.catalog.io.WarehouseFileIO;
import io.cordwood.catalog.server.table.MetadataFiles;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.catalog.usage.UsageJournal;
import java.io.EOFException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipException;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.FileInfo;

/** Tables as their files in the warehouse tell of them, without a catalog. Thread-safe. */
final class WarehouseTables {
    private static final String METADATA = "metadata";
    /** The directory that the catalog chooses for a new table begins so, and has the time of its creation. */
    private static final Pattern OWN_LOCATION = Pattern.compile("made-(\\d{1,18})-.*");

    private static final Pattern METADATA_FILE = Pattern.compile("(\\d{1,9})-.*\\.metadata\\.json");

    /** Files that are parsed at the same time: each may take 20 MB. */
    private static final int PARSERS = 4;

    private final WarehouseFileIO io;
    private final String warehouse;
    private final Semaphore parsers = new Semaphore(PARSERS);

    /**
     * A place of a table.
     *
     * @param identifier name of the table
     * @param metadataDirectory directory of its metadata files
     */
    record Place(TableIdentifier identifier, String metadataDirectory) {
        /** When the catalog chose the place for a new table, in epoch milliseconds; empty if it did not. */
        OptionalLong createdMillis() {
            String[] path = metadataDirectory.split("/", -1);
            Matcher own = OWN_LOCATION.matcher(path[path.length - 2]);
            return own.matches() ? OptionalLong.of(Long.parseLong(own.group(1))) : OptionalLong.empty();
        }
    }

    /** A metadata file in a list of objects. Commits count the version up. */
    private record MetadataFile(String location, int version, long storedMillis) {}

    /**
     * A metadata file that was read.
     *
     * @param location where it is
     * @param version the number in its name
     * @param updated when its commit was prepared
     * @param hasSnapshot whether the table has a snapshot
     * @param tenant the tenant that its usage names; empty if it has none
     * @param offsets the table's offsets
     */
    record Metadata(
            String location,
            int version,
            Instant updated,
            boolean hasSnapshot,
            Optional<String> tenant,
            TableOffsets offsets) {}

    /**
     * What lies in a place.
     *
     * @param newest the newest metadata file that is newer than the backup
     * @param present the location of the metadata file of greatest version, if there is one
     * @param hasPointer whether the backup's metadata file is there
     * @param note a choice between files; empty if there was none
     * @param problem files that are damaged; empty if none is
     */
    record Found(
            Optional<Metadata> newest,
            Optional<String> present,
            boolean hasPointer,
            Optional<String> note,
            Optional<String> problem) {}

    WarehouseTables(WarehouseFileIO io, String warehouse) {
        this.io = io;
        this.warehouse = warehouse.replaceFirst("/+$", "");
    }

    /** Directories of the warehouse that can be the namespace of a tenant. */
    List<String> namespaces() {
        return io.directories(warehouse).stream()
                .filter(WarehouseTables::isNamespace)
                .toList();
    }

    private static boolean isNamespace(String directory) {
        try {
            TenantNames.tenantId(directory);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** The places of a namespace where tables may be: a directory for each, or one that the catalog chose in that. */
    List<Place> places(String namespace) {
        List<Place> places = new ArrayList<>();
        for (String table : io.directories(warehouse + "/" + namespace)) {
            TableIdentifier identifier = TableIdentifier.of(Namespace.of(namespace), table);
            String location = "%s/%s/%s".formatted(warehouse, namespace, table);
            for (String directory : io.directories(location)) {
                if (directory.equals(METADATA)) {
                    places.add(new Place(identifier, location + "/" + METADATA));
                } else if (OWN_LOCATION.matcher(directory).matches()) {
                    places.add(new Place(identifier, "%s/%s/%s".formatted(location, directory, METADATA)));
                }
            }
        }
        return places;
    }

    /** The version of a metadata file; empty for other files. */
    static Optional<Integer> version(String location) {
        Matcher name = METADATA_FILE.matcher(location.substring(location.lastIndexOf('/') + 1));
        return name.matches() ? Optional.of(Integer.valueOf(name.group(1))) : Optional.empty();
    }

    /**
     * Looks for the newest metadata file of a table that is in the backup.
     *
     * <p>A commit that lost a race, and whose service was killed, leaves a file that is in no catalog. No later file
     * builds on it. So a file whose version is two or more above the backup's was written after the backup; of one
     * above it, the time decides. Of two files of the last version, the later is taken, as the other was not
     * acknowledged.
     *
     * @param pointer the backup's metadata file
     * @param since files of the next version that are older do not count
     */
    Found newerThan(String pointer, Instant since) {
        int known = version(pointer).orElse(0);
        List<MetadataFile> files = files(pointer.substring(0, pointer.lastIndexOf('/')));
        boolean hasPointer = files.stream().anyMatch(file -> file.location().equals(pointer));
        return found(files, known, known + 1, hasPointer, since);
    }

    /** Looks for the newest metadata file in a place that is not in the backup. */
    Found in(Place place) {
        return found(files(place.metadataDirectory()), -1, -1, false, Instant.EPOCH);
    }

    private List<MetadataFile> files(String directory) {
        List<MetadataFile> files = new ArrayList<>();
        for (FileInfo file : io.listPrefix(directory + "/")) {
            version(file.location())
                    .ifPresent(
                            version -> files.add(new MetadataFile(file.location(), version, file.createdAtMillis())));
        }
        files.sort(Comparator.comparing(MetadataFile::version).reversed());
        return files;
    }

    /** @param uncertain of files of this version only those count that were written since then */
    private Found found(List<MetadataFile> files, int known, int uncertain, boolean hasPointer, Instant since) {
        Optional<String> present = files.stream().findFirst().map(MetadataFile::location);
        List<Metadata> last = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (MetadataFile file : files) {
            if (file.version() <= known
                    || (!last.isEmpty() && file.version() < last.getFirst().version())) {
                break;
            }
            try {
                Metadata metadata = readInTurn(file);
                if (file.version() != uncertain
                        || !metadata.updated().isBefore(since)
                        || file.storedMillis() >= since.toEpochMilli()) {
                    last.add(metadata);
                }
            } catch (DamagedFileException e) {
                problems.add("%s is damaged (%s)".formatted(file.location(), e.getMessage()));
            }
        }
        last.sort(Comparator.comparing(Metadata::updated).reversed());
        Optional<String> note = last.size() < 2
                ? Optional.empty()
                : Optional.of(
                        "%s and %s have the same version, and only one of them was committed: the first is taken, which is later"
                                .formatted(
                                        last.getFirst().location(), last.get(1).location()));
        return new Found(
                last.stream().findFirst(),
                present,
                hasPointer,
                note,
                problems.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", problems)));
    }

    /** Content that no repetition cures. */
    private static final class DamagedFileException extends Exception {
        private static final long serialVersionUID = 1;

        DamagedFileException(Exception cause) {
            super(cause.toString(), cause);
        }
    }

    private Metadata readInTurn(MetadataFile file) throws DamagedFileException {
        parsers.acquireUninterruptibly();
        try {
            return read(file);
        } finally {
            parsers.release();
        }
    }

    /** A store that does not answer must fail the whole: its table would stay behind. */
    private Metadata read(MetadataFile file) throws DamagedFileException {
        try {
            TableMetadata table = TableMetadataParser.fromJson(
                    file.location(), new String(MetadataFiles.json(io, file.location()), StandardCharsets.UTF_8));
            return new Metadata(
                    file.location(),
                    file.version(),
                    Instant.ofEpochMilli(table.lastUpdatedMillis()),
                    table.currentSnapshot() != null,
                    Optional.of(UsageJournal.fromProperties("", table.properties())
                                    .tenantId())
                            .filter(tenant -> !tenant.isEmpty()),
                    TableOffsets.fromProperties(table.properties()));
        } catch (NotFoundException e) {
            throw new DamagedFileException(e);
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof JsonProcessingException
                    || e.getCause() instanceof ZipException
                    || e.getCause() instanceof EOFException) {
                throw new DamagedFileException(e);
            }
            throw e;
        } catch (IllegalArgumentException | NullPointerException e) {
            // How Iceberg's parser refuses what is no metadata
            throw new DamagedFileException(e);
        }
    }
}
