package io.cordwood.catalog.io;

import io.cordwood.logblock.io.ByteRange;
import io.cordwood.logblock.io.RangeReader;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;

/** Reads ranges of an object through Iceberg's file access, sequentially. Thread-safe. */
public final class InputFileReader implements RangeReader {
    private final InputFile file;

    public InputFileReader(InputFile file) {
        this.file = file;
    }

    @Override
    public String location() {
        return file.location();
    }

    @Override
    public long length() {
        return file.getLength();
    }

    @Override
    public List<byte[]> read(List<ByteRange> ranges) throws IOException {
        List<byte[]> read = new ArrayList<>();
        try (SeekableInputStream in = file.newStream()) {
            for (ByteRange range : ranges) {
                in.seek(range.offset());
                byte[] bytes = in.readNBytes(range.length());
                if (bytes.length < range.length()) {
                    throw new EOFException(
                            "%s ends within bytes [%d, %d)".formatted(file.location(), range.offset(), range.end()));
                }
                read.add(bytes);
            }
        }
        return read;
    }
}
