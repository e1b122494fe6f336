package io.cordwood.logblock.index;

import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * The location of a LogBlock's index, from the footer's key-value metadata. Immutable.
 *
 * @param version version of the index format
 * @param hotChecksum CRC-32C of the hot bytes
 */
public record IndexLocation(
        int version, long coldOffset, long coldLength, long hotOffset, int hotLength, int hotChecksum) {
    /** The only version that this code writes and reads; a LogBlock with another version is scanned. */
    public static final int VERSION = 2;

    private static final String VERSION_KEY = "cordwood.index.version";
    private static final String COLD_KEY = "cordwood.index.cold";
    private static final String HOT_KEY = "cordwood.index.hot";

    public void store(Map<String, String> keyValues) {
        keyValues.put(VERSION_KEY, Integer.toString(version));
        keyValues.put(COLD_KEY, coldOffset + ":" + coldLength);
        keyValues.put(
                HOT_KEY, hotOffset + ":" + hotLength + ":" + HexFormat.of().toHexDigits(hotChecksum));
    }

    /** Reads the location; empty if there is no index, or one that this version cannot read. */
    public static Optional<IndexLocation> load(Map<String, String> keyValues) {
        if (!Integer.toString(VERSION).equals(keyValues.get(VERSION_KEY))) {
            return Optional.empty();
        }
        try {
            String[] cold = keyValues.get(COLD_KEY).split(":", -1);
            String[] hot = keyValues.get(HOT_KEY).split(":", -1);
            return Optional.of(new IndexLocation(
                    VERSION,
                    Long.parseLong(cold[0]),
                    Long.parseLong(cold[1]),
                    Long.parseLong(hot[0]),
                    Integer.parseInt(hot[1]),
                    HexFormat.fromHexDigits(hot[2])));
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }
}
