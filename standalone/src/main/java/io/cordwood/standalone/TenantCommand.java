package io.cordwood.standalone;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.client.CatalogException;
import io.cordwood.catalog.maintenance.TenantDeletions;
import io.cordwood.catalog.option.TenantId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.tenant.Quota;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.catalog.tenant.TenantDeletion;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.standalone.catalog.EndOffsets;
import io.cordwood.standalone.catalog.StoredTable;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.StackFacts;
import io.cordwood.standalone.sql.TextTable;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tenant list}, {@code show}, {@code set}, {@code pipeline} and {@code delete}: the tenant registry. */
@Command(
        name = "tenant",
        description = "Lists tenants, shows one, sets its retention, quota and pipeline, or deletes it.",
        subcommands = TenantPipelineCommand.class,
        synopsisSubcommandLabel = "COMMAND")
final class TenantCommand implements Runnable {
    private static final String UNLIMITED = "unlimited";
    private static final String DELETED = "deleted";
    private static final int MAX_ATTEMPTS = 5;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "list, show, set, pipeline or delete?");
    }

    @Command(name = "list", description = "Lists the tenants with their schemas, retention and quotas.")
    int list(@Mixin HomeOptions homeOptions, @Mixin TokenOptions tokenOptions) {
        TextTable table = new TextTable(
                spec.commandLine().getOut(),
                List.of(
                        new TextTable.Column("tenant", false),
                        new TextTable.Column("schema", false),
                        new TextTable.Column("retention (days)", true),
                        new TextTable.Column("quota (bytes/s)", true),
                        new TextTable.Column("quota (rows/s)", true),
                        new TextTable.Column("state", false)));
        Map<String, TenantDeletion> deletions = new TreeMap<>();
        try (CatalogClient catalog = tokenOptions.connect(homeOptions.home())) {
            catalog.tenantDeletions().forEach(deletion -> deletions.put(deletion.tenantId(), deletion));
            for (Tenant tenant : catalog.tenants()) {
                table.add(List.of(
                        tenant.id(),
                        tenant.schemaName(),
                        retention(tenant),
                        limit(tenant.quota().bytesPerSecond()),
                        limit(tenant.quota().rowsPerSecond()),
                        Optional.ofNullable(deletions.remove(tenant.id()))
                                .map(TenantCommand::state)
                                .orElse("")));
            }
        }
        for (TenantDeletion deletion : deletions.values()) {
            table.add(List.of(
                    deletion.tenantId(), TenantNames.schemaName(deletion.tenantId()), "", "", "", state(deletion)));
        }
        table.finish();
        return 0;
    }

    @Command(name = "show", description = "Shows a tenant's registry entry, its stored data and its usage.")
    int show(
            @Mixin HomeOptions homeOptions,
            @Mixin TokenOptions tokenOptions,
            @Parameters(paramLabel = "TENANT", converter = TenantId.class, description = "the tenant's id") String id) {
        try (CatalogClient catalog = tokenOptions.connect(homeOptions.home())) {
            Optional<TenantDeletion> deletion = deletion(catalog, id);
            Optional<Tenant> tenant = catalog.tenant(id);
            if (tenant.isEmpty() && deletion.isEmpty()) {
                throw new CordwoodException("there is no tenant " + id);
            }
            PrintWriter out = spec.commandLine().getOut();
            out.printf("tenant     %s%nschema     %s%n", id, TenantNames.schemaName(id));
            deletion.ifPresent(found -> out.printf("state      %s%n", state(found)));
            tenant.ifPresent(registered -> show(registered, catalog, out));
        }
        return 0;
    }

    private static void show(Tenant tenant, CatalogClient catalog, PrintWriter out) {
        out.printf("retention  %s%n", retentionInWords(tenant));
        out.printf("quota      %s%n", quotaInWords(tenant.quota()));
        out.printf("pipeline   %s%n", TenantPipelineCommand.inWords(catalog.pipeline(tenant.id())));
        TextTable table = new TextTable(
                out,
                List.of(
                        new TextTable.Column("stream", false),
                        new TextTable.Column("rows", true),
                        new TextTable.Column("LogBlocks", true),
                        new TextTable.Column("bytes", true)));
        for (StoredTable stored : StoredTable.of(catalog.catalog(), tenant.schemaName())) {
            table.add(List.of(
                    stored.stream(),
                    Long.toString(stored.rows()),
                    Long.toString(stored.files()),
                    Long.toString(stored.bytes())));
        }
        table.finish();
        out.println();
        UsageReport usage = UsageReport.read(catalog, tenant.id());
        usage.print(out);
        if (usage.tablesMissing() > 0) {
            out.printf(
                    "usage of %d tables may be missing: the catalog service could not read them yet; see its log%n",
                    usage.tablesMissing());
        }
    }

    @Command(
            name = "set",
            description =
                    "Registers a tenant if it is new, and sets its retention, quota and pipeline as far as given.")
    int set(
            @Mixin HomeOptions homeOptions,
            @Mixin TokenOptions tokenOptions,
            @Parameters(paramLabel = "TENANT", converter = TenantId.class, description = "the tenant's id") String id,
            @Option(
                            names = {"--retention", "--retention-days"},
                            paramLabel = "DAYS",
                            description =
                                    "number of days before today to keep rows for; 0: forever; with --stream also: default")
                    String retention,
            @Option(names = "--stream", paramLabel = "S", description = "sets the retention of this stream only")
                    String stream,
            @Mixin QuotaOptions quotaOptions,
            @Mixin PipelineOptions pipelineOptions) {
        CommandLine set = spec.subcommands().get("set");
        if (stream != null && retention == null) {
            throw new ParameterException(set, "--stream needs --retention");
        }
        boolean isDefault = stream != null && "default".equals(retention);
        OptionalInt days = retention == null || isDefault ? OptionalInt.empty() : OptionalInt.of(days(set, retention));
        quotaOptions.check(set);
        PipelineOptions.Change pipeline = pipelineOptions.read(set);
        try (CatalogClient catalog = tokenOptions.connect(homeOptions.home())) {
            Optional<Tenant> before = catalog.tenant(id);
            Tenant tenant = before.orElseGet(() -> Tenant.of(id));
            if (stream != null) {
                tenant = withRetention(tenant, stream, days);
            } else if (days.isPresent()) {
                tenant = withRetention(tenant, days.getAsInt());
            }
            tenant = tenant.withQuota(quotaOptions.apply(tenant.quota()));
            if (!before.equals(Optional.of(tenant))) {
                catalog.putTenant(tenant);
            }
            pipeline.apply(catalog, id);
        } catch (IllegalArgumentException e) {
            throw new CordwoodException(e.getMessage(), e);
        }
        return 0;
    }

    /** @param days 0 for unlimited */
    private static Tenant withRetention(Tenant tenant, int days) {
        return new Tenant(
                tenant.id(),
                days == 0 ? OptionalInt.empty() : OptionalInt.of(days),
                tenant.streamRetentionDays(),
                tenant.quota(),
                tenant.textColumns());
    }

    /** @param days of one stream: 0 for unlimited, empty for the tenant's */
    private static Tenant withRetention(Tenant tenant, String stream, OptionalInt days) {
        Map<String, Integer> streams = new TreeMap<>(tenant.streamRetentionDays());
        days.ifPresentOrElse(present -> streams.put(stream, present), () -> streams.remove(stream));
        return new Tenant(tenant.id(), tenant.retentionDays(), streams, tenant.quota(), tenant.textColumns());
    }

    private static int days(CommandLine set, String retention) {
        try {
            int days = Integer.parseInt(retention);
            if (days >= 0) {
                return days;
            }
        } catch (NumberFormatException e) {
            throw new ParameterException(
                    set, "--retention: %s is not a number of days".formatted(retention), e, null, retention);
        }
        throw new ParameterException(set, "--retention: %s is not a number of days".formatted(retention));
    }

    @Command(
            name = "delete",
            description = {
                "Deletes a tenant with all its rows so far: its tables, their files and its rows in Kafka. This"
                        + " cannot be undone.",
                "Rows that arrive later are kept: the tenant begins again, with default settings, without grants and"
                        + " without a pipeline. The next call continues an interrupted deletion, and so does the"
                        + " compaction service."
            })
    int delete(
            @Mixin HomeOptions homeOptions,
            @Mixin TokenOptions tokenOptions,
            @Parameters(paramLabel = "TENANT", converter = TenantId.class, description = "the tenant's id") String id,
            @Option(names = "--yes", description = "confirms it") boolean confirmed)
            throws InterruptedException {
        CommandLine delete = spec.subcommands().get("delete");
        if (!confirmed) {
            throw new ParameterException(
                    delete, "this deletes all rows of tenant %s: confirm with --yes".formatted(id));
        }
        Home home = homeOptions.home();
        Endpoints endpoints = Endpoints.read(home);
        StackFacts facts = StackFacts.read(home);
        Set<String> streams = new TreeSet<>(facts.streams());
        try (CatalogClient catalog = tokenOptions.connect(endpoints)) {
            if (catalog.tenant(id).isEmpty() && deletion(catalog, id).isEmpty()) {
                throw new CordwoodException("there is no tenant " + id);
            }
            streams.addAll(StoredTable.streams(catalog.catalog(), TenantNames.schemaName(id)));
            delete(catalog, id, endpoints.kafka(), facts.clientProperties(), streams);
            TenantDeletions deletions = new TenantDeletions(catalog);
            String state = deletion(catalog, id)
                    .flatMap(deletions::resume)
                    .map(TenantCommand::state)
                    .orElse(DELETED);
            spec.commandLine().getOut().printf("tenant %s: %s%n", id, state);
        }
        return 0;
    }

    /** Reads the log ends again while rows above them are being committed. */
    private static void delete(CatalogClient catalog, String id, String kafka, Properties client, Set<String> streams)
            throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            Map<String, TableOffsets> ends = EndOffsets.byStream(
                    kafka, client, streams, stream -> TableOffsets.of(catalog.archivedThrough(stream)));
            try {
                catalog.deleteTenant(id, ends);
                return;
            } catch (CatalogException e) {
                if (e.status() != 409 || attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static Optional<TenantDeletion> deletion(CatalogClient catalog, String id) {
        return catalog.tenantDeletions().stream()
                .filter(deletion -> deletion.tenantId().equals(id))
                .findFirst();
    }

    private static String state(TenantDeletion deletion) {
        return deletion.isComplete()
                ? DELETED
                : "being deleted since " + Instant.ofEpochMilli(deletion.startedMillis());
    }

    /** The tenant's days, followed by those of single streams. */
    private static String retention(Tenant tenant) {
        return days(tenant) + streams(tenant, "");
    }

    private static String retentionInWords(Tenant tenant) {
        return days(tenant) + " days" + streams(tenant, " days");
    }

    private static String days(Tenant tenant) {
        return tenant.retentionDays().isPresent()
                ? Integer.toString(tenant.retentionDays().getAsInt())
                : UNLIMITED;
    }

    private static String streams(Tenant tenant, String unit) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(tenant.streamRetentionDays())
                .forEach((stream, days) ->
                        text.append(", %s: %s%s".formatted(stream, days == 0 ? UNLIMITED : days, unit)));
        return text.toString();
    }

    private static String quotaInWords(Quota quota) {
        List<String> limits = new ArrayList<>();
        quota.bytesPerSecond().ifPresent(limit -> limits.add(limit + " bytes/s"));
        quota.rowsPerSecond().ifPresent(limit -> limits.add(limit + " rows/s"));
        return limits.isEmpty() ? UNLIMITED : String.join(", ", limits);
    }

    private static String limit(OptionalLong perSecond) {
        return perSecond.isPresent() ? Long.toString(perSecond.getAsLong()) : UNLIMITED;
    }
}
