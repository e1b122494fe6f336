package io.cordwood.standalone;

import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.process.PidFile;
import io.cordwood.standalone.process.ServiceStatus;
import io.cordwood.standalone.process.StatusFile;
import io.cordwood.standalone.process.Supervisor;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A power failure, as far as processes see it. */
final class KilledStack {
    private KilledStack() {}

    /** All processes of a stack end at once, without a chance to save anything. */
    static void kill(Home home) throws Exception {
        ProcessHandle supervisor =
                new PidFile(home.run(), Supervisor.NAME).running().orElseThrow();
        List<ProcessHandle> services = StatusFile.read(home.statusFile()).orElseThrow().services().stream()
                .map(ServiceStatus::pid)
                .filter(pid -> pid > 0)
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .toList();
        supervisor.destroyForcibly();
        services.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle process : services) {
            process.onExit().get(1, TimeUnit.MINUTES);
        }
        supervisor.onExit().get(1, TimeUnit.MINUTES);
    }
}
