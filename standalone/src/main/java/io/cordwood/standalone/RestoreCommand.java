package io.cordwood.standalone;

import io.cordwood.catalog.option.RestoreFlags;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.service.CatalogBackup;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code restore}: restores the catalog's database, and reconciles it with the warehouse. */
@Command(
        name = "restore",
        description = {
            "Restores the catalog's database from a backup, and brings it up to date with the tables in the warehouse.",
            "No catalog service may run meanwhile. Prints a line for each table and tenant that has changed since the backup. If a line begins with !, a table has lost metadata files, and nothing is restored unless you accept that."
        },
        defaultValueProvider = ServiceCommand.Environment.class)
final class RestoreCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private BackupFlags flags;

    @Option(
            names = "--from",
            required = true,
            paramLabel = "PLACE",
            description = "directory or s3://BUCKET/PREFIX, of which the newest backup is taken, or one backup in it")
    private String place;

    @Mixin
    private RestoreFlags choices;

    @Override
    public Integer call() throws InterruptedException {
        CatalogBackup backup = flags.backup(spec, "--from", place);
        Home home = flags.home();
        try (StackLock _ = StackLock.tryAcquire(home)
                .orElseThrow(() -> new CordwoodException(
                        "a stack runs in %s: stop it with `bin/cordwood down` first".formatted(home.directory())))) {
            return backup.restore(Installation.current(), WarehouseFlags.uri(place), choices.arguments());
        }
    }
}
