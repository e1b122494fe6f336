package io.cordwood.catalog.server;

import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.server.http.Call;
import io.cordwood.catalog.server.http.Caller;
import io.cordwood.catalog.server.http.JsonReply;
import io.cordwood.catalog.server.http.Permission;
import io.cordwood.catalog.server.http.Route;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.UsageStore;
import io.cordwood.catalog.server.table.UsageRollUp;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.catalog.usage.Scans;
import io.cordwood.catalog.usage.Usage;
import io.cordwood.catalog.usage.UsageFilter;
import io.cordwood.catalog.usage.UsageParser;
import io.cordwood.catalog.usage.UsageParser.UsagePage;
import io.cordwood.http.Reply;
import io.cordwood.identity.ServiceRole;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/** Usage of tenants, under {@code /cordwood/v1}. Thread-safe. */
final class UsageRoutes {
    /** Rows after which a response ends with the hour. */
    private static final long PAGE_ROWS = 10_000;

    private final Database database;
    private final UsageRollUp rollUp;

    UsageRoutes(Database database, UsageRollUp rollUp) {
        this.database = database;
        this.rollUp = rollUp;
    }

    List<Route> routes() {
        return List.of(
                new Route("POST", "/cordwood/v1/usage", Permission.PERSON.or(ServiceRole.QUERY), this::usage),
                new Route(
                                "PUT",
                                "/cordwood/v1/scans/{incarnation}",
                                Permission.OPERATOR.or(ServiceRole.QUERY, ServiceRole.SEARCH),
                                this::putScans)
                        .withLargeBody());
    }

    private Reply usage(Call call) {
        Caller caller = call.caller();
        Optional<UsageFilter> visible = visible(caller, UsageParser.filter(Json.parse(call.body())));
        if (visible.isEmpty()) {
            return JsonReply.of(UsageParser.toJson(new UsagePage(List.of(), OptionalLong.empty(), 0)));
        }
        UsageFilter asked = visible.get();
        Set<Namespace> schemas = schemas(asked);
        List<Namespace> missing = rollUp.settleAll().stream()
                .map(TableIdentifier::namespace)
                .filter(namespace -> asked.tenantIds().isEmpty() || schemas.contains(namespace))
                .toList();
        UsagePage page = database.read(connection -> {
            OptionalLong first = UsageStore.firstHour(connection, asked);
            if (first.isEmpty()) {
                return new UsagePage(List.of(), OptionalLong.empty(), missing.size());
            }
            UsageFilter rest = asked.from(first.getAsLong());
            long to = UsageStore.pageEnd(connection, rest, PAGE_ROWS);
            List<Usage> usage = UsageStore.usage(connection, new UsageFilter(rest.fromHour(), to, rest.tenantIds()));
            OptionalLong next =
                    to < asked.toHour() ? UsageStore.firstHour(connection, asked.from(to)) : OptionalLong.empty();
            return new UsagePage(usage, next, missing.size());
        });
        List<Usage> seen = page.usage().stream()
                .filter(usage -> caller.admits(usage.stream()))
                .toList();
        return JsonReply.of(UsageParser.toJson(new UsagePage(seen, page.nextHour(), page.tablesMissing())));
    }

    /** The filter without what the caller may not see, so that pages tell nothing of it; empty if nothing is left. */
    private static Optional<UsageFilter> visible(Caller caller, UsageFilter asked) {
        if (!caller.isPerson()) {
            return Optional.of(asked);
        }
        Set<String> tenants = new HashSet<>(caller.user().tenants());
        if (!asked.tenantIds().isEmpty()) {
            tenants.retainAll(asked.tenantIds());
        }
        return tenants.isEmpty()
                ? Optional.empty()
                : Optional.of(new UsageFilter(asked.fromHour(), asked.toHour(), tenants));
    }

    private static Set<Namespace> schemas(UsageFilter filter) {
        return filter.tenantIds().stream().flatMap(UsageRoutes::schema).collect(Collectors.toSet());
    }

    /** The tenant's schema; empty for an id that no tenant can have, which SQL may ask for. */
    private static Stream<Namespace> schema(String tenantId) {
        try {
            return Stream.of(Namespace.of(TenantNames.schemaName(tenantId)));
        } catch (IllegalArgumentException e) {
            return Stream.empty();
        }
    }

    private Reply putScans(Call call) {
        Scans scans = UsageParser.scans(call.segment("incarnation"), Json.parse(call.body()));
        rollUp.scanned(scans);
        return Reply.noContent();
    }
}
