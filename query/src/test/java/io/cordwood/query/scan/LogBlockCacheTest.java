package io.cordwood.query.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.io.S3Settings;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.vector.DecodedCache;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.write.LogBlockWriter;
import io.cordwood.query.binding.TableBinding;
import io.cordwood.query.cache.BlockCache;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.io.S3Reads;
import io.cordwood.query.plan.ScannedLogBlock;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogBlockCacheTest {
    private static final LogBlockOptions SMALL_BLOCKS = new LogBlockOptions(3, 4 << 10, 1 << 10, 256, 4096, 0);
    private static final Column TENANT_ID =
            Column.of(LogBlockSchema.TENANT_ID, 1, ColumnType.VARCHAR).asRequired();
    private static final Column TS =
            Column.of(LogBlockSchema.TS, 2, ColumnType.TIMESTAMP).asRequired();
    private static final Column LEVEL = Column.keyword("level", 3);

    /** The cache divides its size among this many parts. */
    private static final int SEGMENTS = 4;

    @TempDir
    private Path directory;

    @Test
    void locationsAreNotPercentEncoded() throws IOException {
        ScannedLogBlock split = write("a b%41#c?d/e.parquet");
        assertThat(cache(1 << 20).open(split, true, new ReadMetrics()).rowCount())
                .isEqualTo(3);
    }

    @Test
    void aLogBlockThatGrewCountsForMore() throws IOException {
        ScannedLogBlock split = write("grows.parquet");
        ReadMetrics metrics = new ReadMetrics();
        long fresh = cache(1 << 20).open(split, true, metrics).retainedBytes();
        LogBlockCache cache = cache(SEGMENTS * (fresh + 1));
        LogBlock logBlock = cache.open(split, true, metrics);
        assertThat(cache.open(split, true, metrics)).isSameAs(logBlock);

        logBlock.cursor(LEVEL, metrics).read(new int[] {0, 1, 2}, 0, 3);
        assertThat(logBlock.retainedBytes()).isGreaterThan(fresh + 1);
        cache.used(split, logBlock);
        assertThat(cache.open(split, true, metrics)).isNotSameAs(logBlock);
    }

    @Test
    void aLogBlockThatIsForgottenLeavesNothingDecoded() throws IOException {
        ScannedLogBlock split = write("forgotten.parquet");
        DecodedCache decoded = new DecodedCache(1 << 20);
        LogBlockCache cache = cache(1 << 20, decoded);
        LogBlock logBlock = cache.open(split, true, new ReadMetrics());
        int[] rows = {0, 1, 2};
        logBlock.cursor(LEVEL, new ReadMetrics()).read(rows, 0, 3);
        long held = decoded.retainedBytes();
        assertThat(held).isPositive();
        cache.used(split, logBlock);
        assertThat(decoded.retainedBytes()).isEqualTo(held);
        cache.forget(split, new IOException("damaged"));
        assertThat(decoded.retainedBytes()).isZero();
        logBlock.cursor(LEVEL, new ReadMetrics()).read(rows, 0, 3);
        assertThat(decoded.retainedBytes()).isZero();
    }

    @Test
    void saysWhichLogBlockCannotBeOpened() throws IOException {
        ScannedLogBlock written = write("elsewhere.parquet");
        ScannedLogBlock split = new ScannedLogBlock("gs://bucket/elsewhere.parquet", 10, 3, 1, 3, written.binding());
        for (boolean useCache : List.of(true, false)) {
            assertThatThrownBy(() -> cache(1 << 20).open(split, useCache, new ReadMetrics()))
                    .isInstanceOf(QueryException.class)
                    .hasMessageContaining("Cannot open the LogBlock gs://bucket/elsewhere.parquet of tenant 'acme'");
        }
    }

    private ScannedLogBlock write(String name) throws IOException {
        Path path = directory.resolve(name);
        Files.createDirectories(path.getParent());
        try (OutputStream out = Files.newOutputStream(path);
                LogBlockWriter writer =
                        new LogBlockWriter(out, new LogBlockSchema(List.of(TENANT_ID, TS, LEVEL)), SMALL_BLOCKS)) {
            writer.append(
                    List.of(
                            StringVector.of("acme", "acme", "acme"),
                            new LongVector(1, 2, 3),
                            StringVector.of("INFO", "WARN", "INFO")),
                    3);
            writer.finish();
        }
        return split(path);
    }

    private static ScannedLogBlock split(Path path) throws IOException {
        return new ScannedLogBlock(
                LocalFileIO.location(path),
                Files.size(path),
                3,
                1,
                3,
                new TableBinding(Map.of(LogBlockSchema.TENANT_ID, "acme"), Map.of()));
    }

    private static LogBlockCache cache(long bytes) {
        return cache(bytes, new DecodedCache(1 << 20));
    }

    private static LogBlockCache cache(long bytes, DecodedCache decoded) {
        return new LogBlockCache(
                bytes,
                new BlockCache(1 << 20, Optional.empty()),
                decoded,
                new S3Reads(() -> S3Settings.DEFAULTS, 1),
                new DeletedRowsCache(LocalFileIO::new, 1 << 20));
    }
}
