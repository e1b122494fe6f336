package io.cordwood.systemtests.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Makes a class read the time from {@link ShiftedClock} in place of the JDK. It changes only the constant pool. Each
 * method that the class calls, or that a method reference names, has an entry there, and the entries of the JDK's time
 * methods get another class. No instruction changes. Not thread-safe.
 */
public final class TimeCalls {
    private static final Set<String> METHODS = Set.of(
            "java/lang/System.currentTimeMillis()J",
            "java/time/Instant.now()Ljava/time/Instant;",
            "java/time/Clock.systemUTC()Ljava/time/Clock;",
            "java/time/Clock.systemDefaultZone()Ljava/time/Clock;",
            "java/time/Clock.system(Ljava/time/ZoneId;)Ljava/time/Clock;",
            "java/time/InstantSource.system()Ljava/time/InstantSource;");
    private static final Set<String> OWNERS =
            Set.of("java/lang/System", "java/time/Instant", "java/time/Clock", "java/time/InstantSource");
    private static final String SHIFTED = ShiftedClock.class.getName().replace('.', '/');

    private static final int COUNT_AT = 8;
    private static final int UTF8 = 1;
    private static final int CLASS = 7;
    private static final int METHOD = 10;
    private static final int INTERFACE_METHOD = 11;

    private final ByteBuffer bytes;
    private final int count;
    private final int[] entries;
    private final int end;

    private TimeCalls(byte[] classFile) {
        bytes = ByteBuffer.wrap(classFile.clone());
        count = unsigned(COUNT_AT);
        entries = new int[count];
        int at = COUNT_AT + 2;
        for (int i = 1; i < count; i++) {
            entries[i] = at;
            int tag = bytes.get(at);
            at += size(tag, at);
            if (tag == 5 || tag == 6) {
                i++; // A long or double takes two places.
            }
        }
        end = at;
    }

    /** The class with its calls redirected; empty if it has none, or is the target itself. */
    public static Optional<byte[]> turned(String className, byte[] classFile) {
        return className.startsWith(SHIFTED) ? Optional.empty() : new TimeCalls(classFile).turned();
    }

    private Optional<byte[]> turned() {
        List<Integer> calls = new ArrayList<>();
        for (int i = 1; i < count; i++) {
            if (entries[i] > 0 && isTimeCall(entries[i])) {
                calls.add(entries[i]);
            }
        }
        if (calls.isEmpty()) {
            return Optional.empty();
        }
        for (int call : calls) {
            // A static method of a class, even if the original was one of an interface.
            bytes.put(call, (byte) METHOD);
            bytes.putShort(call + 1, (short) (count + 1));
        }
        bytes.putShort(COUNT_AT, (short) (count + 2));
        return Optional.of(withShiftedClock());
    }

    private boolean isTimeCall(int entry) {
        int tag = bytes.get(entry);
        if (tag != METHOD && tag != INTERFACE_METHOD) {
            return false;
        }
        String owner = text(unsigned(entries[unsigned(entry + 1)] + 1));
        if (!OWNERS.contains(owner)) {
            return false;
        }
        int nameAndType = entries[unsigned(entry + 3)];
        return METHODS.contains(owner + '.' + text(unsigned(nameAndType + 1)) + text(unsigned(nameAndType + 3)));
    }

    /** Two more entries: the name of the class, and the class. */
    private byte[] withShiftedClock() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DataOutputStream data = new DataOutputStream(out)) {
            data.write(bytes.array(), 0, end);
            data.writeByte(UTF8);
            data.writeUTF(SHIFTED);
            data.writeByte(CLASS);
            data.writeShort(count);
            data.write(bytes.array(), end, bytes.capacity() - end);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private String text(int index) {
        int at = entries[index];
        return new String(bytes.array(), at + 3, unsigned(at + 1), UTF_8);
    }

    private int size(int tag, int at) {
        return switch (tag) {
            case UTF8 -> 3 + unsigned(at + 1);
            case CLASS, 8, 16, 19, 20 -> 3;
            case 15 -> 4;
            case 3, 4, 9, METHOD, INTERFACE_METHOD, 12, 17, 18 -> 5;
            case 5, 6 -> 9;
            default -> throw new IllegalStateException("Constant pool entry of unknown tag %d".formatted(tag));
        };
    }

    private int unsigned(int at) {
        return Short.toUnsignedInt(bytes.getShort(at));
    }
}
