package io.cordwood.catalog.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.catalog.alert.Alert;
import io.cordwood.catalog.alert.AlertParser;
import io.cordwood.catalog.alert.AlertRule;
import io.cordwood.catalog.alert.AlertStatus;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.server.http.Call;
import io.cordwood.catalog.server.http.Caller;
import io.cordwood.catalog.server.http.JsonReply;
import io.cordwood.catalog.server.http.Permission;
import io.cordwood.catalog.server.http.Route;
import io.cordwood.catalog.server.identity.Audit;
import io.cordwood.catalog.server.store.AlertStore;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.http.Reply;
import io.cordwood.identity.ServiceRole;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.NotFoundException;

/**
 * Alert rules and their status, under {@code /cordwood/v1}. Thread-safe.
 *
 * <p>One search service evaluates the rules. It has a number, greater than those of its predecessors, and stores the
 * status of an alert before it sends a notification. A status from an evaluator with a smaller number than was seen is
 * refused, and so is one of a rule that has changed since.
 */
final class AlertRoutes {
    private static final String ALERTS = "/cordwood/v1/tenants/{schema}/alerts";
    private static final String ALERT = ALERTS + "/{alert}";
    private static final ServiceRole[] READERS = {ServiceRole.SEARCH, ServiceRole.QUERY};
    private static final int MAX_RULES = 2000;
    private static final int MAX_RULES_OF_TENANT = 100;

    private final Database database;
    private final Audit audit;

    AlertRoutes(Database database, Audit audit) {
        this.database = database;
        this.audit = audit;
    }

    List<Route> routes() {
        Permission evaluator = Permission.OPERATOR.or(ServiceRole.SEARCH);
        return List.of(
                new Route("GET", "/cordwood/v1/alerts", Permission.PERSON.or(READERS), this::all),
                new Route("GET", ALERTS, Permission.MEMBER.or(READERS), this::ofTenant),
                new Route("GET", ALERT, Permission.MEMBER.or(READERS), this::alert),
                new Route("PUT", ALERT, Permission.OPERATOR, this::put),
                new Route("DELETE", ALERT, Permission.OPERATOR, this::delete),
                new Route("PUT", ALERT + "/status", evaluator, this::putStatus),
                new Route("POST", "/cordwood/v1/alert-evaluator", evaluator, this::admit));
    }

    private Reply all(Call call) {
        return reply(database.read(AlertStore::all), call.caller());
    }

    private Reply ofTenant(Call call) {
        String schema = call.segment("schema");
        return reply(
                database.read(connection -> AlertStore.ofTenant(
                        connection,
                        RegistryRoutes.registered(connection, schema).id())),
                call.caller());
    }

    private static Reply reply(List<Alert> alerts, Caller caller) {
        return JsonReply.of(AlertParser.toJson(
                alerts.stream().filter(alert -> isSeen(alert, caller)).toList()));
    }

    /** A status holds rows, so only readers of the stream see it. */
    private static boolean isSeen(Alert alert, Caller caller) {
        return caller.reads(alert.rule().tenantId(), alert.rule().stream());
    }

    private Reply alert(Call call) {
        String name = call.segment("alert");
        String schema = call.segment("schema");
        return database.read(connection -> AlertStore.find(
                        connection,
                        RegistryRoutes.registered(connection, schema).id(),
                        name))
                .filter(alert -> isSeen(alert, call.caller()))
                .map(alert -> JsonReply.of(AlertParser.toJson(alert)))
                .orElseThrow(() -> noSuchRule(name));
    }

    private Reply put(Call call) {
        AlertRule rule = AlertParser.rule(Json.parse(call.body()));
        if (!rule.name().equals(call.segment("alert"))) {
            throw new IllegalArgumentException(
                    "The path names rule '%s', the body '%s'".formatted(call.segment("alert"), rule.name()));
        }
        Alert put = database.write(connection -> {
            Tenant tenant = RegistryRoutes.registered(connection, call.segment("schema"));
            if (!tenant.id().equals(rule.tenantId())) {
                throw new IllegalArgumentException(
                        "The path names tenant '%s', the body '%s'".formatted(tenant.id(), rule.tenantId()));
            }
            Optional<Alert> before = AlertStore.find(connection, rule.tenantId(), rule.name());
            if (before.isPresent() && before.get().rule().equals(rule)) {
                return before.get();
            }
            if (before.isEmpty()) {
                requireRoom(connection, rule.tenantId());
            }
            Alert alert = new Alert(rule, UUID.randomUUID().toString(), status(before, rule));
            AlertStore.put(connection, alert);
            audit.changed(
                    connection,
                    call.caller(),
                    "alert-changed",
                    rule.tenantId() + "/" + rule.name(),
                    AlertParser.toJson(rule).toString());
            return alert;
        });
        return JsonReply.of(AlertParser.toJson(put));
    }

    /** An alert of other labels is another one for Alertmanager, where the former ends by itself. */
    private static AlertStatus status(Optional<Alert> before, AlertRule rule) {
        return before.filter(alert -> alert.rule().alertLabels().equals(rule.alertLabels()))
                .map(Alert::status)
                .orElse(AlertStatus.NEW);
    }

    private static void requireRoom(Connection connection, String tenantId) throws SQLException {
        if (AlertStore.ofTenant(connection, tenantId).size() >= MAX_RULES_OF_TENANT) {
            throw new IllegalArgumentException("Tenant '%s' has %d alert rules, the most that one can have"
                    .formatted(tenantId, MAX_RULES_OF_TENANT));
        }
        if (AlertStore.count(connection) >= MAX_RULES) {
            throw new IllegalArgumentException(
                    "There are %d alert rules, the most that there can be".formatted(MAX_RULES));
        }
    }

    private Reply delete(Call call) {
        String name = call.segment("alert");
        boolean existed = database.write(connection -> {
            Tenant tenant = RegistryRoutes.registered(connection, call.segment("schema"));
            boolean deleted = AlertStore.delete(connection, tenant.id(), name);
            if (deleted) {
                audit.changed(connection, call.caller(), "alert-removed", tenant.id() + "/" + name, "with its status");
            }
            return deleted;
        });
        if (!existed) {
            throw noSuchRule(name);
        }
        return Reply.noContent();
    }

    private Reply putStatus(Call call) {
        JsonNode body = Json.parse(call.body());
        long fence = Json.number(body, "fence");
        String revision = Json.text(body, "revision");
        AlertStatus status = AlertParser.status(body.path("status"));
        String name = call.segment("alert");
        database.write(connection -> {
            if (!AlertStore.admit(connection, fence)) {
                throw new CommitFailedException(
                        "Evaluator %s is not the present one: a later one evaluates the alerts", fence);
            }
            Tenant tenant = RegistryRoutes.registered(connection, call.segment("schema"));
            if (!AlertStore.setStatus(connection, tenant.id(), name, revision, status)) {
                throw noSuchRule(name);
            }
            return null;
        });
        return Reply.noContent();
    }

    /** A number that was admitted before is answered by a greater one, which makes its evaluator ask for a new one. */
    private Reply admit(Call call) {
        long fence = Json.number(Json.parse(call.body()), "fence");
        long greatest = database.write(connection ->
                AlertStore.admitNew(connection, fence) ? fence : Math.max(AlertStore.fence(connection), fence + 1));
        return JsonReply.of(Json.object().put("fence", greatest));
    }

    private static NotFoundException noSuchRule(String name) {
        return new NotFoundException("There is no alert rule '%s', or it has changed", name);
    }
}
