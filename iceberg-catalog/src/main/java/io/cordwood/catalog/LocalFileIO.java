package io.cordwood.catalog;

import org.apache.iceberg.Files;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;

/** Files on the local disk, without Hadoop, as {@code file://} URIs. Thread-safe. */
public final class LocalFileIO implements FileIO {
    private static final long serialVersionUID = 1;

    @Override
    public InputFile newInputFile(String location) {
        return Files.localInput(location);
    }

    @Override
    public OutputFile newOutputFile(String location) {
        return Files.localOutput(location);
    }

    @Override
    public void deleteFile(String location) {
        throw new UnsupportedOperationException("Not there yet: " + location);
    }
}
