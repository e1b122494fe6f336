package io.cordwood.record.buffer;

/** Naming rules for the columns of members. Thread-safe. */
public final class ColumnNames {
    /** Maximum length of a column name, in UTF-8 bytes; members with longer names go to {@code attributes}. */
    public static final int MAX_BYTES = 512;

    private static final String TWIN_SUFFIX = ".double";

    private ColumnNames() {}

    /**
     * Whether a member of this name cannot have a column: Cordwood's own names, the empty name, and names with control
     * characters or of more than {@link #MAX_BYTES} bytes.
     */
    public static boolean isReserved(String name) {
        if (name.isEmpty() || name.length() > MAX_BYTES) {
            return true;
        }
        char first = name.charAt(0);
        if (first == '_' || first == '$') {
            return true;
        }
        if (name.equals("ts") || name.equals("tenant_id") || name.equals("attributes")) {
            return true;
        }
        return name.startsWith("attributes.") || !isPrintable(name);
    }

    private static boolean isPrintable(String name) {
        int bytes = 0;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c < 0x20 || c == 0x7F) {
                return false;
            }
            // A surrogate is one half of a four-byte character.
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return bytes <= MAX_BYTES;
    }

    /** The name of the column that holds the fractions and too large integers of a bigint column. */
    public static String doubleTwin(String bigintColumn) {
        return bigintColumn + TWIN_SUFFIX;
    }

    /** Whether a name has the form of a twin's name. */
    public static boolean isTwinName(String name) {
        return name.endsWith(TWIN_SUFFIX);
    }

    /** Name of the bigint column whose twin this would be. */
    public static String twinOf(String twin) {
        return twin.substring(0, twin.length() - TWIN_SUFFIX.length());
    }
}
