package io.cordwood.standalone;

import io.cordwood.standalone.catalog.CatalogApi;
import io.cordwood.standalone.catalog.TenantEntry;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.sql.TextTable;
import java.io.PrintWriter;
import java.util.List;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tenant list}, {@code tenant show}, {@code tenant set}: the tenant registry. */
@Command(
        name = "tenant",
        description = "Lists tenants, shows one, or sets its retention and quota.",
        synopsisSubcommandLabel = "COMMAND")
final class TenantCommand implements Runnable {
    private static final String UNLIMITED = "unlimited";

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "list, show or set?");
    }

    @Command(name = "list", description = "Lists the tenants with their schemas, retention and quotas.")
    int list(@Mixin HomeOptions homeOptions) {
        TextTable table = new TextTable(
                spec.commandLine().getOut(),
                List.of(
                        new TextTable.Column("tenant", false),
                        new TextTable.Column("schema", false),
                        new TextTable.Column("retention (days)", true),
                        new TextTable.Column("quota (bytes/s)", true)));
        for (TenantEntry tenant : catalog(homeOptions).tenants()) {
            table.add(List.of(
                    tenant.id(), tenant.schema(), limit(tenant.retentionDays()), limit(tenant.quotaBytesPerSecond())));
        }
        table.finish();
        return 0;
    }

    @Command(name = "show", description = "Shows what the registry holds of a tenant, and what is stored.")
    int show(
            @Mixin HomeOptions homeOptions,
            @Parameters(paramLabel = "TENANT", description = "the tenant's id") String id) {
        TenantIds.check(spec.subcommands().get("show").getCommandSpec(), "TENANT", id);
        CatalogApi catalog = catalog(homeOptions);
        TenantEntry tenant = catalog.tenant(id).orElseThrow(() -> new CordwoodException("there is no tenant " + id));
        PrintWriter out = spec.commandLine().getOut();
        out.printf("tenant     %s%nschema     %s%n", tenant.id(), tenant.schema());
        out.printf(
                "retention  %s days%nquota      %s bytes/s%n",
                limit(tenant.retentionDays()), limit(tenant.quotaBytesPerSecond()));
        TextTable table = new TextTable(
                out,
                List.of(
                        new TextTable.Column("stream", false),
                        new TextTable.Column("rows", true),
                        new TextTable.Column("LogBlocks", true),
                        new TextTable.Column("bytes", true)));
        for (CatalogApi.Table stored : catalog.tables(tenant.schema())) {
            table.add(List.of(
                    stored.stream(),
                    Long.toString(stored.rows()),
                    Long.toString(stored.files()),
                    Long.toString(stored.bytes())));
        }
        table.finish();
        return 0;
    }

    @Command(name = "set", description = "Sets a tenant's retention and quota; registers the tenant if it is new.")
    int set(
            @Mixin HomeOptions homeOptions,
            @Parameters(paramLabel = "TENANT", description = "the tenant's id") String id,
            @Option(names = "--retention-days", paramLabel = "N", description = "days that rows are kept; 0: for ever")
                    Long retentionDays,
            @Option(names = "--quota", paramLabel = "BYTES", description = "bytes a second it may ship; 0: any")
                    Long quota) {
        TenantIds.check(spec.subcommands().get("set").getCommandSpec(), "TENANT", id);
        if (retentionDays == null && quota == null) {
            throw new ParameterException(spec.subcommands().get("set"), "set what? --retention-days or --quota");
        }
        if (retentionDays != null && (retentionDays < 0 || retentionDays > Integer.MAX_VALUE)) {
            throw new ParameterException(
                    spec.subcommands().get("set"),
                    "--retention-days: %d is not a number of days".formatted(retentionDays));
        }
        if (quota != null && quota < 0) {
            throw new ParameterException(spec.subcommands().get("set"), "--quota: %d is below 0".formatted(quota));
        }
        CatalogApi catalog = catalog(homeOptions);
        TenantEntry tenant = catalog.tenant(id).orElseGet(() -> newTenant(id));
        if (retentionDays != null) {
            tenant = tenant.withRetentionDays(retentionDays);
        }
        if (quota != null) {
            tenant = tenant.withQuotaBytesPerSecond(quota);
        }
        catalog.put(tenant);
        return 0;
    }

    private static TenantEntry newTenant(String id) {
        try {
            return TenantEntry.of(id);
        } catch (IllegalArgumentException e) {
            throw new CordwoodException(e.getMessage(), e);
        }
    }

    private static CatalogApi catalog(HomeOptions homeOptions) {
        return new CatalogApi(Endpoints.read(homeOptions.home()).catalog());
    }

    private static String limit(OptionalLong value) {
        return value.isPresent() ? Long.toString(value.getAsLong()) : UNLIMITED;
    }
}
