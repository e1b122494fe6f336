package io.cordwood.catalog.server.store;

import io.cordwood.catalog.alert.Alert;
import io.cordwood.catalog.alert.AlertParser;
import io.cordwood.catalog.alert.AlertRule;
import io.cordwood.catalog.alert.AlertStatus;
import io.cordwood.catalog.json.Json;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Alert rules and their status in the database, and the number of the evaluator that may write it. Thread-safe. */
public final class AlertStore {
    private static final Logger LOG = LoggerFactory.getLogger(AlertStore.class);
    private static final String SELECT = "SELECT rule, revision, status, tenant_id, rule_name FROM cordwood_alerts";
    /** Revisions that were logged as malformed: the rules are read every few seconds. */
    private static final Set<String> LOGGED = ConcurrentHashMap.newKeySet();

    private AlertStore() {}

    /** All alerts, by tenant and name. */
    public static List<Alert> all(Connection connection) throws SQLException {
        return alerts(connection, SELECT + " ORDER BY tenant_id, rule_name");
    }

    /** A tenant's alerts, by name. */
    public static List<Alert> ofTenant(Connection connection, String tenantId) throws SQLException {
        return alerts(connection, SELECT + " WHERE tenant_id = ? ORDER BY rule_name", TenantIdColumn.write(tenantId));
    }

    /** The alert of this name; empty if there is none. */
    public static Optional<Alert> find(Connection connection, String tenantId, String name) throws SQLException {
        return alerts(
                        connection,
                        SELECT + " WHERE tenant_id = ? AND rule_name = ?",
                        TenantIdColumn.write(tenantId),
                        name)
                .stream()
                .findFirst();
    }

    private static List<Alert> alerts(Connection connection, String sql, Object... parameters) throws SQLException {
        List<Alert> alerts = new ArrayList<>();
        try (PreparedStatement select = Statements.prepare(connection, sql, parameters);
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                alert(rows).ifPresent(alerts::add);
            }
        }
        return alerts;
    }

    /** The alert of a row; empty if the row is malformed, so that it does not keep others from being read. */
    private static Optional<Alert> alert(ResultSet rows) throws SQLException {
        String revision = rows.getString(2);
        try {
            AlertRule rule = AlertParser.rule(Json.parse(rows.getString(1).getBytes(StandardCharsets.UTF_8)));
            AlertStatus status = AlertParser.status(Json.parse(rows.getString(3).getBytes(StandardCharsets.UTF_8)));
            return Optional.of(new Alert(rule, revision, status));
        } catch (IllegalArgumentException e) {
            if (LOGGED.add(revision)) {
                LOG.error(
                        "Alert rule '{}' of tenant '{}' is malformed in the database, and left out: set it anew",
                        rows.getString(5),
                        rows.getString(4),
                        e);
            }
            return Optional.empty();
        }
    }

    /** The number of all rules. */
    public static long count(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT COUNT(*) FROM cordwood_alerts");
                ResultSet rows = select.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** Adds or replaces a rule with its status. */
    public static void put(Connection connection, Alert alert) throws SQLException {
        Statements.update(
                connection,
                """
                INSERT INTO cordwood_alerts (tenant_id, rule_name, revision, rule, status) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (tenant_id, rule_name) DO UPDATE SET revision = excluded.revision, rule = excluded.rule,
                  status = excluded.status""",
                TenantIdColumn.write(alert.rule().tenantId()),
                alert.rule().name(),
                alert.revision(),
                AlertParser.toJson(alert.rule()).toString(),
                AlertParser.toJson(alert.status()).toString());
    }

    /** Removes a rule with its status; false if there was none. */
    public static boolean delete(Connection connection, String tenantId, String name) throws SQLException {
        return Statements.update(
                        connection,
                        "DELETE FROM cordwood_alerts WHERE tenant_id = ? AND rule_name = ?",
                        TenantIdColumn.write(tenantId),
                        name)
                > 0;
    }

    /** Changes the status of a revision of a rule; false if there is no such revision any more. */
    public static boolean setStatus(
            Connection connection, String tenantId, String name, String revision, AlertStatus status)
            throws SQLException {
        return Statements.update(
                        connection,
                        "UPDATE cordwood_alerts SET status = ? WHERE tenant_id = ? AND rule_name = ? AND revision = ?",
                        AlertParser.toJson(status).toString(),
                        TenantIdColumn.write(tenantId),
                        name,
                        revision)
                > 0;
    }

    /**
     * Lets the evaluator of this number write, and none of a smaller one any more.
     *
     * @return whether no greater number has been admitted
     */
    public static boolean admit(Connection connection, long fence) throws SQLException {
        return raiseFence(connection, fence, "<=");
    }

    /**
     * Admits the evaluator of this number, and none of a smaller one any more, unless a number as great was admitted:
     * that may be another evaluator, of a time before the counter was lost.
     *
     * @return whether it is admitted
     */
    public static boolean admitNew(Connection connection, long fence) throws SQLException {
        return raiseFence(connection, fence, "<");
    }

    /** @param relation of the stored number to this one; otherwise nothing changes */
    private static boolean raiseFence(Connection connection, long fence, String relation) throws SQLException {
        return Statements.update(connection, """
                        INSERT INTO cordwood_alert_fence (only_row, fence) VALUES (1, ?)
                        ON CONFLICT (only_row) DO UPDATE SET fence = excluded.fence
                        WHERE cordwood_alert_fence.fence %s excluded.fence""".formatted(relation), fence) > 0;
    }

    /** The greatest number that was admitted; 0 if none was. */
    public static long fence(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT fence FROM cordwood_alert_fence");
                ResultSet rows = select.executeQuery()) {
            return rows.next() ? rows.getLong(1) : 0;
        }
    }
}
