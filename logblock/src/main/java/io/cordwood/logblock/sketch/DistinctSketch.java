package io.cordwood.logblock.sketch;

import io.cordwood.logblock.encoding.StringDictionary;
import io.cordwood.logblock.encoding.XxHash64;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * A sketch of the number of distinct values of a column: HyperLogLog (Flajolet et al., 2007) with 64 registers and a
 * standard error of 13 %. Sketches of several LogBlocks merge into that of all their rows. Immutable.
 */
public final class DistinctSketch {
    /** The size of a sketch in bytes. */
    public static final int SIZE = 64;

    private static final int REGISTER_BITS = 6;
    private static final double ALPHA = 0.709;
    /** Estimates below this count free registers instead. */
    private static final double SMALL = 2.5 * SIZE;

    private static final long GOLDEN_GAMMA = 0x9E37_79B9_7F4A_7C15L;
    private static final long FIRST_MIX = 0xBF58_476D_1CE4_E5B9L;
    private static final long SECOND_MIX = 0x94D0_49BB_1331_11EBL;

    private final byte[] registers;

    private DistinctSketch(byte[] registers) {
        this.registers = registers;
    }

    /** A builder that collects values. Not thread-safe. */
    public static final class Builder {
        private final byte[] registers = new byte[SIZE];

        /** Adds the values of a VARCHAR or BIGINT column. */
        public void add(Vector vector, Optional<StringDictionary> dictionary, int rows) {
            if (dictionary.isPresent()) {
                StringDictionary values = dictionary.get();
                for (int id = 0; id < values.size(); id++) {
                    add(values.bytes(), values.start(id), values.end(id));
                }
                return;
            }
            for (int row = 0; row < rows; row++) {
                if (!vector.nulls().isNull(row)) {
                    switch (vector) {
                        case LongVector numbers -> add(numbers.values()[row]);
                        case StringVector texts -> {
                            int slot = texts.slot(row);
                            add(texts.bytes(), texts.offsets()[slot], texts.offsets()[slot + 1]);
                        }
                        default -> throw new IllegalArgumentException("No sketch of a " + vector.getClass());
                    }
                }
            }
        }

        private void add(byte[] utf8, int from, int to) {
            add(XxHash64.hash(utf8, from, to - from));
        }

        /** Adds a value by a hash whose bits need not be well mixed: a number is its own hash. */
        void add(long hash) {
            // The mixing of SplitMix64
            long mixed = hash + GOLDEN_GAMMA;
            mixed = (mixed ^ (mixed >>> 30)) * FIRST_MIX;
            mixed = (mixed ^ (mixed >>> 27)) * SECOND_MIX;
            mixed ^= mixed >>> 31;
            int register = (int) (mixed >>> (Long.SIZE - REGISTER_BITS));
            byte rank = (byte) (1 + Long.numberOfLeadingZeros(mixed << REGISTER_BITS | 1L << (REGISTER_BITS - 1)));
            if (rank > registers[register]) {
                registers[register] = rank;
            }
        }

        public DistinctSketch build() {
            return new DistinctSketch(registers.clone());
        }
    }

    /** Reads a sketch that {@link #write} wrote. */
    public static DistinctSketch read(ByteBuffer bytes) {
        byte[] registers = new byte[SIZE];
        bytes.get(registers);
        return new DistinctSketch(registers);
    }

    /** Appends the sketch, in {@link #SIZE} bytes. */
    public void write(ByteBuffer target) {
        target.put(registers);
    }

    /** The sketch of the rows of both. */
    public DistinctSketch and(DistinctSketch other) {
        byte[] both = new byte[SIZE];
        for (int i = 0; i < SIZE; i++) {
            both[i] = (byte) Math.max(registers[i], other.registers[i]);
        }
        return new DistinctSketch(both);
    }

    /** The approximate number of distinct values. */
    public double estimate() {
        double sum = 0;
        int free = 0;
        for (byte rank : registers) {
            sum += Math.scalb(1.0, -rank);
            free += rank == 0 ? 1 : 0;
        }
        double estimate = ALPHA * SIZE * SIZE / sum;
        return estimate <= SMALL && free > 0 ? SIZE * Math.log((double) SIZE / free) : estimate;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DistinctSketch sketch && Arrays.equals(registers, sketch.registers);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(registers);
    }

    @Override
    public String toString() {
        return "about %.0f distinct values".formatted(estimate());
    }
}
