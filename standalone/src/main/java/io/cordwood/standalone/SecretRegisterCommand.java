package io.cordwood.standalone;

import io.cordwood.standalone.secret.Secrets;
import io.cordwood.standalone.service.Registration;
import io.cordwood.standalone.service.ServiceSecrets;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code secret register}: makes the accounts of services known to Kafka and the catalog. */
@Command(
        name = "register",
        description = {
            "Makes the services known: their accounts, with what each may do, in Kafka; their users and tokens in the catalog.",
            "Repeating it changes nothing, except tokens with less than 60 days left."
        })
final class SecretRegisterCommand implements Callable<Integer> {
    private static final Pattern CATALOG = Pattern.compile("https://[^ /]+/?");

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--secrets",
            required = true,
            paramLabel = "DIR",
            description = "the directory that `secret init` made")
    private Path directory;

    @Option(names = "--kafka", paramLabel = "HOST:PORT", description = "sets users, rules and topics of this Kafka")
    private String kafka;

    @Option(
            names = "--kafka-properties",
            paramLabel = "FILE",
            description = "as whom: properties of a Kafka client (default: the user cordwood-admin)")
    private Path kafkaProperties;

    @Option(
            names = "--streams",
            split = ",",
            defaultValue = "logs",
            paramLabel = "NAME",
            description = "the streams, each a topic of Kafka (default: ${DEFAULT-VALUE})")
    private List<String> streams;

    @Option(
            names = "--partitions",
            defaultValue = "8",
            paramLabel = "N",
            description = "partitions of a new topic (default: ${DEFAULT-VALUE})")
    private int partitions;

    @Option(names = "--catalog", paramLabel = "URL", description = "makes users and tokens in this catalog")
    private String catalog;

    @Override
    public Integer call() throws InterruptedException {
        if (kafka == null && catalog == null) {
            throw new ParameterException(spec.commandLine(), "where? Give --kafka HOST:PORT, --catalog URL, or both");
        }
        if (catalog != null && !CATALOG.matcher(catalog).matches()) {
            throw new ParameterException(
                    spec.commandLine(), "--catalog: '%s' is not https://HOST:PORT".formatted(catalog));
        }
        Secrets secrets = new Secrets(directory);
        if (!Files.isReadable(secrets.bootstrapToken())) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--secrets: %s has no secrets: make them with `bin/cordwood secret init`".formatted(directory));
        }
        Registration registration = new Registration(secrets);
        if (kafka != null) {
            registration.inKafka(kafka, Optional.ofNullable(kafkaProperties), streams, partitions);
        }
        if (catalog != null) {
            registration.inCatalog(URI.create(catalog.replaceFirst("/$", "")));
            ServiceSecrets.writeAll(secrets);
        }
        return 0;
    }
}
