package io.cordwood.standalone;

import io.cordwood.standalone.home.Installation;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code backup}: copies the catalog's database. */
@Command(
        name = "backup",
        description = {
            "Copies what is not in the warehouse: the catalog's database with tables, tenants, users, tokens and positions.",
            "Services may go on meanwhile. Rows are not copied: they are in the warehouse and in Kafka."
        },
        defaultValueProvider = ServiceCommand.Environment.class)
final class BackupCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private BackupFlags flags;

    @Option(
            names = "--to",
            required = true,
            paramLabel = "PLACE",
            description = "directory or s3://BUCKET/PREFIX that gets one more file")
    private String place;

    @Override
    public Integer call() throws InterruptedException {
        return flags.backup(spec, "--to", place).copy(Installation.current(), WarehouseFlags.uri(place));
    }
}
