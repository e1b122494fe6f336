package io.cordwood.standalone.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A process that cannot be mistaken for another one which got the same number later: its number and when it was born.
 * On Linux the birth is the boot's id and the clock tick of the start, so that it neither survives a reboot nor moves
 * when the wall clock is set. Immutable.
 *
 * @param pid the process's number
 * @param birth an opaque text, equal only for the same process
 */
public record ProcessIdentity(long pid, String birth) {
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
    private static final int STATE_FIELD = 0;
    private static final int START_TICK_FIELD = 19;

    /** Identifies a process that runs now; empty if there is none of that number. */
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
