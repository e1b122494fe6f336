package io.cordwood.benchmarks.table;

import io.cordwood.logblock.io.ByteRange;
import io.cordwood.logblock.io.RangeReader;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A LogBlock in a local file. Thread-safe. */
public final class FileRangeReader implements RangeReader {
    private final Path file;
    private final FileChannel channel;
    private final long length;

    public FileRangeReader(Path file) throws IOException {
        this.file = file;
        this.channel = FileChannel.open(file);
        this.length = channel.size();
    }

    @Override
    public String location() {
        return file.toString();
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public List<byte[]> read(List<ByteRange> ranges) throws IOException {
        List<byte[]> result = new ArrayList<>(ranges.size());
        for (ByteRange range : ranges) {
            ByteBuffer buffer = ByteBuffer.allocate(range.length());
            while (buffer.hasRemaining()) {
                if (channel.read(buffer, range.offset() + buffer.position()) < 0) {
                    throw new EOFException(file + " ends before byte " + range.end());
                }
            }
            result.add(buffer.array());
        }
        return result;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
