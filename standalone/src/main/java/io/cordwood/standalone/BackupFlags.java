package io.cordwood.standalone;

import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.secret.Secrets;
import io.cordwood.standalone.service.CatalogBackup;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of {@code backup} and {@code restore}: whose database it is. */
final class BackupFlags {
    @Mixin
    private HomeOptions homeOptions;

    @Mixin
    private WarehouseFlags warehouse;

    @Option(
            names = "--secrets",
            paramLabel = "DIR",
            description =
                    "the catalog's secrets, with catalog-db.url and s3.credentials, if the catalog runs alone with --secrets")
    private Path secrets;

    Home home() {
        return homeOptions.home();
    }

    /**
     * The database that the options tell of.
     *
     * @param option the option with the place of backups
     */
    CatalogBackup backup(CommandSpec spec, String option, String place) {
        WarehouseFlags.requireLocation(spec, option, place);
        warehouse.check(spec, WarehouseFlags.isS3(place));
        Home home = home();
        home.create();
        return new CatalogBackup(
                home,
                warehouse.catalogDatabase(),
                warehouse.location(),
                warehouse.s3(),
                Optional.ofNullable(secrets).map(Secrets::new));
    }
}
