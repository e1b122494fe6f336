package io.cordwood.logblock.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.testing.SampleRows;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Util;

/** Decodes LogBlocks by our decoders and by those of parquet-java, which read the files of other writers. */
public class ParquetJavaDecodersTest {
    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

    @Property(tries = 8, shrinking = ShrinkingMode.OFF, edgeCases = EdgeCasesMode.NONE)
    void bothGiveEveryValue(@ForAll long seed, @ForAll @IntRange(min = 1, max = 3000) int rows) throws IOException {
        SampleRows sample = new SampleRows(seed, rows);
        byte[] bytes = sample.write(SampleRows.SMALL_BLOCKS);
        try (LogBlock block = LogBlockTest.open(bytes);
                LogBlock other = LogBlockTest.open(ofAnotherWriter(bytes))) {
            assertThat(block.isOrdered()).isTrue();
            assertThat(other.isOrdered()).as("read by parquet-java").isFalse();
            int[] all = LogBlockTest.range(rows);
            for (Column column : SampleRows.SCHEMA.columns()) {
                for (LogBlock each : new LogBlock[] {block, other}) {
                    LogBlockTest.assertSame(
                            column,
                            sample,
                            each.cursor(column, new ReadMetrics()).read(all, 0, rows),
                            all);
                }
            }
        }
    }

    /** The same data with a footer that names another writer and no index. */
    private static byte[] ofAnotherWriter(byte[] logBlock) throws IOException {
        int end = logBlock.length - Integer.BYTES - MAGIC.length;
        int length = ByteBuffer.wrap(logBlock).order(ByteOrder.LITTLE_ENDIAN).getInt(end);
        FileMetaData footer = Util.readFileMetaData(new ByteArrayInputStream(logBlock, end - length, length));
        footer.setCreated_by("another version 1.0.0 (build 1)");
        footer.unsetKey_value_metadata();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(logBlock, 0, end - length);
        // The checksum before the footer counts only where it ends right there
        out.write(0);
        int start = out.size();
        Util.writeFileMetaData(footer, out);
        ByteBuffer size = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        out.write(size.putInt(out.size() - start).array());
        out.write(MAGIC);
        return out.toByteArray();
    }
}
