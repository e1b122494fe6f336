package io.cordwood.gateway;

import io.cordwood.options.Port;
import io.cordwood.options.Size;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** Bounds of the gateway. {@code up --gateway NAME=VALUE} passes them on. */
public final class GatewayTuning {
    @Option(
            names = "--max-request",
            defaultValue = "32mb",
            paramLabel = "SIZE",
            converter = RequestSize.class,
            description = "largest body of a request, unpacked (default: ${DEFAULT-VALUE})")
    private long maxRequest;

    @Option(
            names = "--max-in-flight",
            defaultValue = "160mb",
            paramLabel = "SIZE",
            converter = InFlightSize.class,
            description =
                    "memory of all requests that are not answered; what comes past it gets status 429 (default: ${DEFAULT-VALUE})")
    private long maxInFlight;

    @Option(
            names = "--max-in-flight-of-tenant",
            defaultValue = "96mb",
            paramLabel = "SIZE",
            converter = InFlightSize.class,
            description = "the same, of one tenant (default: ${DEFAULT-VALUE})")
    private long maxInFlightOfTenant;

    @Option(
            names = "--syslog-udp-port",
            paramLabel = "PORT",
            converter = Port.class,
            description = "port for syslog over UDP, which loses messages by its nature (default: none)")
    private Integer syslogUdpPort;

    OptionalInt syslogUdpPort() {
        return syslogUdpPort == null ? OptionalInt.empty() : OptionalInt.of(syslogUdpPort);
    }

    @Option(
            names = "--allowed-hosts",
            split = ",",
            paramLabel = "NAME",
            description = "names by which requests may call an open gateway on loopback, beside localhost")
    private List<String> allowedHosts = List.of();

    Set<String> allowedHosts() {
        return allowedHosts.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
    }

    int maxRequestBytes() {
        return Math.toIntExact(maxRequest);
    }

    long maxInFlightBytes() {
        return maxInFlight;
    }

    long maxInFlightBytesOfTenant() {
        return maxInFlightOfTenant;
    }

    private static final class RequestSize extends Size {
        RequestSize() {
            super(1 << 20, 256 << 20);
        }
    }

    private static final class InFlightSize extends Size {
        InFlightSize() {
            super(1 << 20, Long.MAX_VALUE);
        }
    }
}
