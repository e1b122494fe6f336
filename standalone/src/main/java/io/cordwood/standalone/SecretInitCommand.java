package io.cordwood.standalone;

import io.cordwood.standalone.secret.Secrets;
import io.cordwood.standalone.service.ServiceSecrets;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code secret init}: makes the secrets of services that run one by one. */
@Command(
        name = "init",
        description = {
            "Makes certificates, keys and passwords of services that run one by one; what is there is kept.",
            "DIR has all secrets of the lake. DIR/services/NAME has those that one service needs."
        })
final class SecretInitCommand implements Callable<Integer> {
    private static final Pattern HOST = Pattern.compile("(\\*\\.)?[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?");
    private static final Pattern ADDRESS = Pattern.compile("[0-9]+(\\.[0-9]+){3}|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*");

    @Spec
    private CommandSpec spec;

    @Option(names = "--secrets", required = true, paramLabel = "DIR", description = "the directory of the secrets")
    private Path directory;

    @Option(
            names = "--host",
            paramLabel = "SERVICE=HOST",
            description = {
                "a name or address under which others reach a service; may be repeated.",
                "Without it: localhost, and the service's own name. HOST alone is the name of the service in its first part, as in trino.example.com."
            })
    private List<String> hosts = List.of();

    @Override
    public Integer call() {
        Map<String, Set<String>> named = new HashMap<>();
        for (String text : hosts) {
            int equals = text.indexOf('=');
            String host = text.substring(equals + 1).toLowerCase(Locale.ROOT);
            String service = equals < 0 ? host.replaceFirst("\\..*", "") : text.substring(0, equals);
            if (!Secrets.isCertified(service)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--host: there is no service '%s': give SERVICE=HOST, as in trino=logs.example.com"
                                .formatted(service));
            }
            named.computeIfAbsent(service, missing -> new TreeSet<>()).add(canonical(host));
        }
        Secrets secrets = new Secrets(directory);
        secrets.prepare(named);
        ServiceSecrets.writeAll(secrets);
        return 0;
    }

    /** Certificates have addresses in one spelling only. */
    private String canonical(String host) {
        if (ADDRESS.matcher(host).matches()) {
            return InetAddress.ofLiteral(host).getHostAddress();
        }
        if (!HOST.matcher(host).matches()) {
            throw new ParameterException(
                    spec.commandLine(), "--host: '%s' is not a name or an address".formatted(host));
        }
        return host;
    }
}
