package io.cordwood.query.io;

import io.cordwood.logblock.io.ByteRange;
import io.cordwood.logblock.io.RangeReader;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A reader of a file on the local disk. It reads ranges that lie near one another at once. The file is open only during
 * a call, so the reader needs no closing while other threads read. Thread-safe.
 */
public final class FileRangeReader implements RangeReader {
    /** A gap between ranges that is cheaper to read than to skip. */
    private static final int MAX_GAP = 16 << 10;

    private static final int MAX_MERGED = 8 << 20;

    private final Path path;
    private final long length;

    /**
     * Creates a reader of a file.
     *
     * @param length length of the file in bytes, from the table's metadata
     */
    public FileRangeReader(Path path, long length) {
        this.path = path;
        this.length = length;
    }

    Path path() {
        return path;
    }

    @Override
    public String location() {
        return path.toString();
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public List<byte[]> read(List<ByteRange> ranges) throws IOException {
        List<byte[]> result = new ArrayList<>(ranges.size());
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            for (MergedRange merged : MergedRange.of(ranges, MAX_GAP, MAX_MERGED)) {
                result.addAll(merged.split(read(channel, merged.offset(), merged.end())));
            }
        }
        return result;
    }

    private byte[] read(FileChannel channel, long offset, long end) throws IOException {
        byte[] bytes = new byte[Math.toIntExact(end - offset)];
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, offset + buffer.position()) < 0) {
                throw new EOFException("%s ends at %d, before %d".formatted(path, offset + buffer.position(), end));
            }
        }
        return bytes;
    }
}
