package io.cordwood.logblock.schema;

/**
 * Options of writing a LogBlock.
 *
 * @param zstdLevel compression level of column blocks
 * @param textPageBytes uncompressed size at which a page of a text column ends
 * @param textBlockBytes uncompressed size of the blocks of Zstandard that such a page is compressed in. A reader
 *     decompresses the first ones only, up to the last row that it needs
 * @param pageRows rows at which a page of any column ends
 * @param rowGroupRows rows at which a row group ends
 * @param minIndexedRows a LogBlock of fewer rows has no index, because scanning it is cheaper than opening an index
 */
public record LogBlockOptions(
        int zstdLevel, int textPageBytes, int textBlockBytes, int pageRows, int rowGroupRows, int minIndexedRows) {
    public static final LogBlockOptions DEFAULTS = new LogBlockOptions(3, 128 << 10, 64 << 10, 8192, 1 << 20, 4096);

    /**
     * The dense layout, for days that are rarely searched: Zstandard compresses larger pages of text better, and a
     * query decompresses more for each row that it finds.
     */
    public static final LogBlockOptions DENSE = new LogBlockOptions(9, 384 << 10, 64 << 10, 8192, 1 << 20, 4096);

    /** The same options with another compression level. */
    public LogBlockOptions withZstdLevel(int level) {
        return new LogBlockOptions(level, textPageBytes, textBlockBytes, pageRows, rowGroupRows, minIndexedRows);
    }
}
