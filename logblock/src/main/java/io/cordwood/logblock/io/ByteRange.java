package io.cordwood.logblock.io;

/** The bytes {@code [offset, offset + length)} of an object. */
public record ByteRange(long offset, int length) {
    public ByteRange {
        if (offset < 0 || length < 0) {
            throw new IllegalArgumentException("Invalid range [%d, +%d)".formatted(offset, length));
        }
    }

    public long end() {
        return offset + length;
    }
}
