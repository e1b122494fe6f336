package io.cordwood.record.buffer;

/** The kind of a member's value in the record. The codes are part of the chunk format. */
public enum ValueKind {
    TEXT(0, true),
    /** An array, or an object without members: JSON text. */
    JSON(1, true),
    /** An integer of at most 64 bits. */
    INTEGER(2, false),
    /** A number with a fraction or an exponent, as written. */
    FRACTION(3, true),
    /** An integer beyond 64 bits, as written. */
    BIG_INTEGER(4, true),
    BOOLEAN(5, false),
    /** {@code NaN} and the infinities, as written. */
    NON_FINITE(6, true);

    private static final ValueKind[] BY_CODE = new ValueKind[7];

    static {
        for (ValueKind kind : values()) {
            BY_CODE[kind.code] = kind;
        }
    }

    private final byte code;
    private final boolean text;

    ValueKind(int code, boolean text) {
        this.code = (byte) code;
        this.text = text;
    }

    /** Whether values are kept as text; otherwise as 64 bits. */
    public boolean isText() {
        return text;
    }

    /** Whether values are numbers of any kind, including {@code NaN}. */
    boolean isNumber() {
        return this != TEXT && this != JSON && this != BOOLEAN;
    }

    /** Whether values are numbers that a bigint column leaves to its twin. */
    public boolean exceedsBigint() {
        return this == FRACTION || this == BIG_INTEGER;
    }

    byte code() {
        return code;
    }

    static ValueKind of(int code) {
        return BY_CODE[code];
    }
}
