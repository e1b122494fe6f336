package io.cordwood.services;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Finds the usual daemons of syslog: those on PATH, else those of Debian's packages, downloaded and unpacked. */
final class SyslogPrograms {
    private SyslogPrograms() {}

    static List<String> rsyslog() throws IOException, InterruptedException {
        List<String> packages = List.of("rsyslog", "rsyslog-gnutls", "rsyslog-elasticsearch");
        Optional<Path> onPath = LocalPrograms.onPath("rsyslogd");
        if (onPath.isPresent()) {
            return List.of(onPath.get().toString());
        }
        DebianPackages unpacked = fetch("rsyslog", packages);
        return List.of(
                "env",
                "LD_LIBRARY_PATH=" + unpacked.libraryPath(),
                unpacked.root().resolve("usr/sbin/rsyslogd").toString(),
                "-M",
                unpacked.directoryOf("omelasticsearch.so").toString());
    }

    static List<String> syslogNg() throws IOException, InterruptedException {
        Optional<Path> onPath = LocalPrograms.onPath("syslog-ng");
        if (onPath.isPresent()) {
            return List.of(onPath.get().toString());
        }
        DebianPackages unpacked = fetch("syslog-ng", List.of("syslog-ng-core"));
        return List.of(
                "env",
                "LD_LIBRARY_PATH=" + unpacked.libraryPath(),
                unpacked.root().resolve("usr/sbin/syslog-ng").toString(),
                "--module-path=" + unpacked.directoryOf("libafsocket.so"));
    }

    private static DebianPackages fetch(String name, List<String> packages) throws InterruptedException {
        String install = "install %s".formatted(String.join(", ", packages));
        if (LocalPrograms.onPath("apt-get").isEmpty()
                || LocalPrograms.onPath("dpkg").isEmpty()) {
            throw new IllegalStateException(
                    "no %s on PATH, and no apt-get to fetch Debian's packages of it: %s".formatted(name, install));
        }
        try {
            return DebianPackages.fetch(name, packages);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "no %s on PATH, and Debian's packages of it cannot be fetched: %s".formatted(name, install), e);
        }
    }
}
