package io.cordwood.standalone.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The identity of a process: its number and its birth, so that a later process of the same number is not mistaken for
 * it. On Linux the birth is the boot's id and the clock tick of the start: it does not survive a reboot, and it does
 * not change when the wall clock is set. Immutable.
 *
 * @param pid the process's number
 * @param birth an opaque text, equal only for the same process
 */
public record ProcessIdentity(long pid, String birth) {
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
    private static final int STATE_FIELD = 0;
    private static final int START_TICK_FIELD = 19;

    /** Identifies a running process; empty if no process has that number. */
    public static Optional<ProcessIdentity> of(long pid) {
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .flatMap(ProcessIdentity::birth)
                .map(birth -> new ProcessIdentity(pid, birth));
    }

    /** The handle of this very process, empty if it has ended (a zombie has). */
    public Optional<ProcessHandle> alive() {
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .filter(handle -> birth(handle).filter(birth::equals).isPresent());
    }

    private static Optional<String> birth(ProcessHandle handle) {
        Path stat = Path.of("/proc", Long.toString(handle.pid()), "stat");
        try {
            // The command's name, in parentheses, may itself hold blanks and parentheses.
            String text = Files.readString(stat);
            String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
            if (fields[STATE_FIELD].equals("Z") || fields[STATE_FIELD].equals("X")) {
                return Optional.empty();
            }
            return Optional.of(Files.readString(BOOT_ID).strip() + "-" + fields[START_TICK_FIELD]);
        } catch (IOException notLinuxOrGone) {
            return handle.info().startInstant().map(Object::toString);
        }
    }
}
