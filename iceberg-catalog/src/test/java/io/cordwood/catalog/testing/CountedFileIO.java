package io.cordwood.catalog.testing;

import io.cordwood.catalog.io.LocalFileIO;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;

/** Objects, counting those that are opened to be read. */
public final class CountedFileIO implements FileIO {
    private static final long serialVersionUID = 1;

    public final AtomicInteger reads = new AtomicInteger();
    private final LocalFileIO delegate = new LocalFileIO();

    @Override
    public InputFile newInputFile(String location) {
        reads.incrementAndGet();
        return delegate.newInputFile(location);
    }

    @Override
    public OutputFile newOutputFile(String location) {
        return delegate.newOutputFile(location);
    }

    @Override
    public void deleteFile(String location) {
        delegate.deleteFile(location);
    }

    @Override
    public Map<String, String> properties() {
        return Map.of();
    }
}
