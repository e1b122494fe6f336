package io.cordwood.standalone;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.maintenance.LostFileRemoval;
import io.cordwood.catalog.maintenance.LostFiles;
import io.cordwood.catalog.maintenance.LostFiles.Lost;
import io.cordwood.catalog.maintenance.LostFiles.Range;
import io.cordwood.catalog.option.TenantId;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.standalone.catalog.StoredTable;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code verify}: looks for lost files, and says which rows were in them. */
@Command(
        name = "verify",
        description = {
            "Checks that the warehouse has every file that tables name, and says which rows are lost.",
            "Reads manifests and lists objects, but reads no LogBlock. Exits with 1 if a file is lost.",
            "With --remove it takes lost files with rows out of the tables, so that queries no longer fail."
        })
final class VerifyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private HomeOptions homeOptions;

    @Mixin
    private TokenOptions tokenOptions;

    @Option(
            names = "--tenant",
            converter = TenantId.class,
            paramLabel = "T",
            description = "checks only this tenant (default: all tenants)")
    private String tenant;

    @Option(
            names = "--remove",
            description =
                    "removes lost files with rows from the tables: their rows are then lost for good; needs --yes")
    private boolean remove;

    @Option(names = "--yes", description = "confirms --remove")
    private boolean confirmed;

    private long tables;
    private long files;
    private long lostFiles;
    private long lostRows;
    private long unreadable;

    @Override
    public Integer call() throws InterruptedException {
        if (remove && !confirmed) {
            throw new ParameterException(
                    spec.commandLine(), "files that are restored later are then in no table: confirm with --yes");
        }
        try (CatalogClient catalog = tokenOptions.connect(homeOptions.home())) {
            if (tenant != null && catalog.tenant(tenant).isEmpty()) {
                throw new CordwoodException("there is no tenant " + tenant);
            }
            List<String> tenants = tenant != null
                    ? List.of(tenant)
                    : catalog.tenants().stream().map(Tenant::id).toList();
            for (String id : tenants) {
                String schema = TenantNames.schemaName(id);
                for (String stream : StoredTable.streams(catalog.catalog(), schema)) {
                    verify(catalog, id, TableIdentifier.of(Namespace.of(schema), stream));
                }
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        out.printf("%,d tables with %,d files: ", tables, files);
        out.println(
                lostFiles + unreadable == 0
                        ? "all are there"
                        : "%,d lost (%,d rows), %,d tables cannot be read".formatted(lostFiles, lostRows, unreadable));
        return lostFiles + unreadable == 0 ? 0 : 1;
    }

    private void verify(CatalogClient catalog, String id, TableIdentifier table) throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        LostFiles found;
        try {
            found = LostFiles.find(catalog.catalog().loadTable(table));
        } catch (NoSuchTableException e) {
            // Dropped since it was listed
            return;
        } catch (RuntimeException e) {
            unreadable++;
            out.printf("tenant %s, stream %s: cannot be read: %s%n", id, table.name(), Errors.text(e));
            return;
        }
        tables++;
        files += found.files();
        for (Lost lost : found.lost()) {
            lostFiles++;
            lostRows += lost.content() == LostFiles.Content.DELETES
                    ? 0
                    : lost.rows().orElse(0L);
            out.printf("tenant %s, stream %s: %s%n", id, table.name(), inWords(lost));
        }
        if (remove && !found.lost().isEmpty()) {
            remove(catalog, id, table, found.lost());
        }
        out.flush();
    }

    private void remove(CatalogClient catalog, String id, TableIdentifier table, List<Lost> lost)
            throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        try {
            int removed =
                    new LostFileRemoval(catalog.catalog()).remove(table, lost).size();
            out.printf("tenant %s, stream %s: removed %,d files from the table%n", id, table.name(), removed);
        } catch (RuntimeException e) {
            out.printf(
                    "tenant %s, stream %s: cannot remove lost files from the table: %s%n",
                    id, table.name(), Errors.text(e));
        }
    }

    private static String inWords(Lost lost) {
        String rows = lost.rows().map("%,d"::formatted).orElse("an unknown number of");
        return switch (lost.content()) {
            case ROWS ->
                "%s rows%s%s%s were in %s"
                        .formatted(
                                rows,
                                inWords(" from ", lost.times()),
                                inWords(", of partitions ", lost.partitions()),
                                inWords(", of offsets ", lost.offsets()),
                                lost.location());
            case DELETES ->
                "%s deletions were in %s: queries of the rows beside them fail".formatted(rows, lost.location());
            case MANIFEST -> "%s rows were named in %s".formatted(rows, lost.location());
        };
    }

    private static String inWords(String prefix, Optional<? extends Range<?>> range) {
        return range.map(some -> "%s%s to %s".formatted(prefix, some.least(), some.greatest()))
                .orElse("");
    }
}
