package io.cordwood.catalog.io;

import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;

/**
 * A readable object of an S3 store. Thread-safe; its streams are not.
 *
 * <p>Iceberg's own stream fails if a response's body breaks off, and requests each object's length first. This one
 * retries, and takes the length from the first response.
 */
final class S3InputFile implements InputFile {
    private static final long UNKNOWN = -1;

    private final S3Object object;
    private volatile long length;

    S3InputFile(S3Object object) {
        this(object, UNKNOWN);
    }

    /** @param length the object's length in bytes, if known */
    S3InputFile(S3Object object, long length) {
        this.object = object;
        this.length = length;
    }

    /** Requests the length on first use. */
    @Override
    public long getLength() {
        if (length == UNKNOWN) {
            length = object.length();
        }
        return length;
    }

    @Override
    public SeekableInputStream newStream() {
        return new S3InputStream(object);
    }

    @Override
    public String location() {
        return object.location();
    }

    @Override
    public boolean exists() {
        return object.exists();
    }
}
