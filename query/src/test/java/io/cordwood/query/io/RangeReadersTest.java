package io.cordwood.query.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.logblock.io.ByteRange;
import io.cordwood.logblock.io.RangeReader;
import io.cordwood.query.cache.BlockCache;
import io.cordwood.query.cache.CachingRangeReader;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RangeReadersTest {
    private static final int LENGTH = 1_000_003;

    @TempDir
    private Path directory;

    private byte[] bytes;

    @Test
    void everyReaderGivesTheBytesOfTheFile() throws IOException {
        FileRangeReader file = file();
        Random random = new Random(7);
        for (RangeReader reader : List.of(
                file,
                new CachingRangeReader(file, new BlockCache(10 << 20, Optional.empty())),
                new CachingRangeReader(file, new BlockCache(3 * BlockCache.BLOCK_SIZE, Optional.empty())))) {
            for (int i = 0; i < 200; i++) {
                List<ByteRange> ranges = ranges(random);
                List<byte[]> read = reader.read(ranges);
                assertThat(read).hasSameSizeAs(ranges);
                for (int j = 0; j < ranges.size(); j++) {
                    ByteRange range = ranges.get(j);
                    assertThat(read.get(j))
                            .isEqualTo(Arrays.copyOfRange(bytes, (int) range.offset(), (int) range.end()));
                }
            }
        }
    }

    @Test
    void saysWhichFileEndsTooEarly() throws IOException {
        FileRangeReader file = new FileRangeReader(file().path(), LENGTH + 10);
        List<ByteRange> beyond = List.of(new ByteRange(LENGTH - 5, 10));
        assertThatThrownBy(() -> file.read(beyond))
                .isInstanceOf(EOFException.class)
                .hasMessageContaining(file.location());
        assertThatThrownBy(() -> new CachingRangeReader(file(), new BlockCache(1 << 20, Optional.empty())).read(beyond))
                .isInstanceOf(EOFException.class)
                .hasMessageContaining(file.location());
    }

    private FileRangeReader file() throws IOException {
        bytes = new byte[LENGTH];
        new Random(3).nextBytes(bytes);
        Path path = directory.resolve("object");
        Files.write(path, bytes);
        return new FileRangeReader(path, LENGTH);
    }

    private static List<ByteRange> ranges(Random random) {
        List<ByteRange> ranges = new ArrayList<>();
        int offset = random.nextInt(LENGTH / 2);
        while (ranges.size() < 6) {
            int length = random.nextInt(random.nextBoolean() ? 100 : 100_000);
            if (offset + length > LENGTH) {
                break;
            }
            ranges.add(new ByteRange(offset, length));
            offset += length + random.nextInt(random.nextBoolean() ? 10 : 60_000);
        }
        return ranges;
    }
}
