package io.cordwood.catalog.maintenance;

import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.logblock.schema.LogBlockSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;

/**
 * The files of a snapshot whose rows all lie on days before the first kept one. Immutable.
 *
 * <p>A file of the partition spec {@code day(ts)} lies in one day. For a file of another spec, which only other
 * programs write, the largest {@code ts} in its manifest decides; if that is absent, or lies in a kept day, the file
 * stays. Manifests with kept days only are not opened.
 *
 * @param dataFiles LogBlocks, without their statistics
 * @param deleteFiles delete files that apply only to such LogBlocks
 */
record ExpiredFiles(List<DataFile> dataFiles, List<DeleteFile> deleteFiles) {
    private static final ExpiredFiles NONE = new ExpiredFiles(List.of(), List.of());

    ExpiredFiles {
        dataFiles = List.copyOf(dataFiles);
        deleteFiles = List.copyOf(deleteFiles);
    }

    boolean isEmpty() {
        return dataFiles.isEmpty() && deleteFiles.isEmpty();
    }

    /** Locations of all these files. */
    List<String> locations() {
        List<String> locations = new ArrayList<>();
        dataFiles.forEach(file -> locations.add(file.location()));
        deleteFiles.forEach(file -> locations.add(file.location()));
        return locations;
    }

    /**
     * Finds expired files in the current snapshot.
     *
     * @param maxDataFiles most LogBlocks to return, which bounds the memory; another commit takes the rest
     */
    static ExpiredFiles find(TableMetadata table, FileIO io, LocalDate firstKeptDay, int maxDataFiles) {
        if (table.currentSnapshot() == null) {
            return NONE;
        }
        return new Search(table, io, firstKeptDay, maxDataFiles).run();
    }

    /** The first day of the manifest's files, or a day before it. */
    private static long firstDay(TableMetadata table, ManifestFile manifest) {
        if (!manifest.hasAddedFiles() && !manifest.hasExistingFiles()) {
            return Long.MAX_VALUE;
        }
        if (!TableSchemas.isDaySpec(table.spec(manifest.partitionSpecId()))
                || manifest.partitions() == null
                || manifest.partitions().isEmpty()) {
            return Long.MIN_VALUE;
        }
        ByteBuffer lower = manifest.partitions().getFirst().lowerBound();
        return lower == null ? Long.MIN_VALUE : Conversions.<Integer>fromByteBuffer(Types.DateType.get(), lower);
    }

    /**
     * The first day, since 1970-01-01, of the current snapshot's files, or a day before it. Reads only the manifest
     * list, so a day whose files were all removed recently may still count.
     */
    static long oldestDay(TableMetadata table, FileIO io) {
        if (table.currentSnapshot() == null) {
            return Long.MAX_VALUE;
        }
        return table.currentSnapshot().allManifests(io).stream()
                .mapToLong(manifest -> firstDay(table, manifest))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** One pass over the manifests. Not thread-safe. */
    private static final class Search {
        private final TableMetadata table;
        private final FileIO io;
        private final long firstKeptDay;
        private final int maxDataFiles;
        private final List<DataFile> dataFiles = new ArrayList<>();
        private final List<DeleteFile> deleteFiles = new ArrayList<>();

        Search(TableMetadata table, FileIO io, LocalDate firstKeptDay, int maxDataFiles) {
            this.table = table;
            this.io = io;
            this.firstKeptDay = firstKeptDay.toEpochDay();
            this.maxDataFiles = maxDataFiles;
        }

        ExpiredFiles run() {
            for (ManifestFile manifest : table.currentSnapshot().dataManifests(io)) {
                if (firstDay(table, manifest) < firstKeptDay && !readLogBlocks(manifest)) {
                    return new ExpiredFiles(dataFiles, List.of());
                }
            }
            Set<String> gone = new HashSet<>();
            dataFiles.forEach(file -> gone.add(file.location()));
            for (ManifestFile manifest : table.currentSnapshot().deleteManifests(io)) {
                if (firstDay(table, manifest) < firstKeptDay) {
                    readDeletes(manifest, gone);
                }
            }
            return new ExpiredFiles(dataFiles, deleteFiles);
        }

        private boolean readLogBlocks(ManifestFile manifest) {
            try (ManifestReader<DataFile> files = ManifestFiles.read(manifest, io, table.specsById())) {
                for (DataFile file : files) {
                    Optional<Long> lastDay = lastDay(file);
                    if (lastDay.isPresent() && lastDay.get() < firstKeptDay) {
                        if (dataFiles.size() == maxDataFiles) {
                            return false;
                        }
                        dataFiles.add(file.copyWithoutStats());
                    }
                }
                return true;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void readDeletes(ManifestFile manifest, Set<String> gone) {
            try (ManifestReader<DeleteFile> files = ManifestFiles.readDeleteManifest(manifest, io, table.specsById())) {
                for (DeleteFile file : files) {
                    boolean concernsExpiredDay =
                            partitionDay(file).map(day -> day < firstKeptDay).orElse(false);
                    if (concernsExpiredDay
                            || (file.referencedDataFile() != null && gone.contains(file.referencedDataFile()))) {
                        deleteFiles.add(file.copyWithoutStats());
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** The day of a file whose partition spec has one. */
        private Optional<Long> partitionDay(ContentFile<?> file) {
            PartitionSpec spec = table.spec(file.specId());
            return TableSchemas.isDaySpec(spec)
                    ? Optional.ofNullable(file.partition().get(0, Integer.class))
                            .map(Integer::longValue)
                    : Optional.empty();
        }

        /** The last day on which the file may have a row; empty if unknown. */
        private Optional<Long> lastDay(DataFile file) {
            return partitionDay(file)
                    .or(() -> lastMicros(file).map(micros -> Math.floorDiv(micros, TimeUnit.DAYS.toMicros(1))));
        }

        private Optional<Long> lastMicros(DataFile file) {
            Types.NestedField ts = table.schema().findField(LogBlockSchema.TS);
            Map<Integer, ByteBuffer> upper = file.upperBounds();
            return ts == null || upper == null
                    ? Optional.empty()
                    : Optional.ofNullable(upper.get(ts.fieldId()))
                            .map(bound -> Conversions.<Long>fromByteBuffer(Types.TimestampType.withZone(), bound));
        }
    }

    /** The first kept UTC day if rows are kept for so many days before the present one. */
    static LocalDate firstKeptDay(Instant now, int retentionDays) {
        return LocalDate.ofInstant(now, ZoneOffset.UTC).minusDays(retentionDays);
    }
}
