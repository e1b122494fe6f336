package io.cordwood.catalog.server.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cordwood's tables beside those of Iceberg's JDBC catalog, and their version. Stateless.
 *
 * <p>A program that starts brings an older schema to its own version. So migrations must leave the schema usable for
 * programs of the version before, which still run while services are upgraded; {@link #OLDEST_PROGRAM} says how old
 * they may be.
 */
final class DatabaseSchema {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseSchema.class);
    /** The version of this program. */
    static final int VERSION = 1;
    /** Programs of this version can work with the schema too. */
    private static final int OLDEST_PROGRAM = 1;
    /** Any number that no other program on the database uses. */
    private static final long LOCK = 7_302_145_938L;

    private static final String VERSION_TABLE = """
            CREATE TABLE IF NOT EXISTS cordwood_schema (
              only_row INTEGER NOT NULL PRIMARY KEY,
              version INTEGER NOT NULL,
              oldest_program INTEGER NOT NULL)""";

    /** Also brings databases to it that were made before versions were counted. */
    private static final List<String> FIRST_VERSION = List.of(
            """
            CREATE TABLE IF NOT EXISTS cordwood_archived_through (
              stream VARCHAR(255) NOT NULL,
              topic_id VARCHAR(64) NOT NULL,
              partition_number INTEGER NOT NULL,
              next_offset BIGINT NOT NULL,
              PRIMARY KEY (stream, topic_id, partition_number))""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_topics (
              stream VARCHAR(255) NOT NULL,
              topic_id VARCHAR(64) NOT NULL,
              ended BOOLEAN NOT NULL,
              PRIMARY KEY (stream, topic_id))""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_tenants (
              tenant_id VARCHAR(800) NOT NULL PRIMARY KEY,
              schema_name VARCHAR(200) NOT NULL UNIQUE,
              retention_days INTEGER,
              quota_bytes_per_second BIGINT,
              text_columns TEXT NOT NULL)""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_row_quotas (
              tenant_id VARCHAR(800) NOT NULL PRIMARY KEY,
              rows_per_second BIGINT NOT NULL)""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_stream_retention (
              tenant_id VARCHAR(800) NOT NULL,
              stream VARCHAR(255) NOT NULL,
              retention_days INTEGER NOT NULL,
              PRIMARY KEY (tenant_id, stream))""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_tenant_deletions (
              tenant_id VARCHAR(800) NOT NULL PRIMARY KEY,
              schema_name VARCHAR(200) NOT NULL UNIQUE,
              started_millis BIGINT NOT NULL,
              completed_millis BIGINT)""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_tenant_deleted_locations (
              tenant_id VARCHAR(800) NOT NULL,
              location VARCHAR(2000) NOT NULL,
              PRIMARY KEY (tenant_id, location))""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_floors (
              tenant_id VARCHAR(800) NOT NULL,
              stream VARCHAR(255) NOT NULL,
              topic_id VARCHAR(64) NOT NULL,
              partition_number INTEGER NOT NULL,
              next_offset BIGINT NOT NULL,
              PRIMARY KEY (tenant_id, stream, topic_id, partition_number))""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_users (
              user_name VARCHAR(255) NOT NULL PRIMARY KEY,
              is_operator BOOLEAN NOT NULL,
              service VARCHAR(32))""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_grants (
              user_name VARCHAR(255) NOT NULL,
              tenant_id VARCHAR(800) NOT NULL,
              tenant_role VARCHAR(16) NOT NULL,
              PRIMARY KEY (user_name, tenant_id, tenant_role))""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_tokens (
              token_id VARCHAR(64) NOT NULL PRIMARY KEY,
              user_name VARCHAR(255) NOT NULL,
              audience VARCHAR(32) NOT NULL,
              root_id VARCHAR(64) NOT NULL,
              parent_id VARCHAR(64),
              tenant_id VARCHAR(800),
              tenant_role VARCHAR(16),
              streams TEXT,
              issued_seconds BIGINT NOT NULL,
              expires_seconds BIGINT NOT NULL,
              revoked_micros BIGINT)""",
            """
            CREATE INDEX IF NOT EXISTS cordwood_tokens_of_users ON cordwood_tokens (user_name)""",
            """
            CREATE INDEX IF NOT EXISTS cordwood_tokens_of_roots ON cordwood_tokens (root_id)""",
            """
            CREATE INDEX IF NOT EXISTS cordwood_tokens_of_parents ON cordwood_tokens (parent_id)""",
            """
            CREATE INDEX IF NOT EXISTS cordwood_tokens_of_tenants ON cordwood_tokens (tenant_id)""",
            """
            CREATE INDEX IF NOT EXISTS cordwood_tokens_revoked ON cordwood_tokens (revoked_micros)""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_token_rules (
              only_row INTEGER NOT NULL PRIMARY KEY,
              complete_until_micros BIGINT NOT NULL)""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_audit (
              entry_id VARCHAR(36) NOT NULL PRIMARY KEY,
              at_millis BIGINT NOT NULL,
              actor VARCHAR(255) NOT NULL,
              action VARCHAR(32) NOT NULL,
              subject TEXT NOT NULL,
              detail TEXT NOT NULL,
              occurrences BIGINT NOT NULL)""",
            """
            CREATE INDEX IF NOT EXISTS cordwood_audit_times ON cordwood_audit (at_millis)""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_access_closed (
              closed BOOLEAN NOT NULL PRIMARY KEY)""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_deletions (
              id VARCHAR(64) NOT NULL PRIMARY KEY,
              requested_at BIGINT NOT NULL,
              deletion TEXT NOT NULL)""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_alerts (
              tenant_id VARCHAR(800) NOT NULL,
              rule_name VARCHAR(100) NOT NULL,
              revision VARCHAR(64) NOT NULL,
              rule TEXT NOT NULL,
              status TEXT NOT NULL,
              PRIMARY KEY (tenant_id, rule_name))""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_alert_fence (
              only_row INTEGER NOT NULL PRIMARY KEY,
              fence BIGINT NOT NULL)""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_pipelines (
              tenant_id VARCHAR(800) NOT NULL PRIMARY KEY,
              pipeline TEXT NOT NULL)""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_flush_requests (
              stream VARCHAR(255) NOT NULL,
              tenant_id VARCHAR(800) NOT NULL,
              topic_id VARCHAR(64) NOT NULL,
              partition_number INTEGER NOT NULL,
              next_offset BIGINT NOT NULL,
              PRIMARY KEY (stream, tenant_id, topic_id, partition_number))""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_metered_tables (
              table_uuid VARCHAR(64) NOT NULL PRIMARY KEY,
              last_sequence BIGINT NOT NULL,
              metadata_location VARCHAR(2000) NOT NULL)""",
            """
            CREATE INDEX IF NOT EXISTS cordwood_metered_locations ON cordwood_metered_tables (metadata_location)""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_column_sets (
              id VARCHAR(64) NOT NULL PRIMARY KEY,
              columns TEXT NOT NULL)""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_table_columns (
              table_namespace VARCHAR(255) NOT NULL,
              table_name VARCHAR(255) NOT NULL,
              columns_id VARCHAR(64) NOT NULL,
              PRIMARY KEY (table_namespace, table_name))""",
            """
            CREATE INDEX IF NOT EXISTS cordwood_table_column_sets ON cordwood_table_columns (columns_id)""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_usage (
              tenant_id VARCHAR(800) NOT NULL,
              stream VARCHAR(255) NOT NULL,
              usage_hour BIGINT NOT NULL,
              row_count BIGINT NOT NULL,
              raw_bytes BIGINT NOT NULL,
              stored_bytes BIGINT NOT NULL,
              PRIMARY KEY (tenant_id, stream, usage_hour))""",
            """
            CREATE INDEX IF NOT EXISTS cordwood_usage_hours ON cordwood_usage (usage_hour)""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_append_time (
              only_row INTEGER NOT NULL PRIMARY KEY,
              append_millis BIGINT NOT NULL)""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_scans (
              tenant_id VARCHAR(800) NOT NULL,
              stream VARCHAR(255) NOT NULL,
              usage_hour BIGINT NOT NULL,
              incarnation VARCHAR(64) NOT NULL,
              scanned_bytes BIGINT NOT NULL,
              PRIMARY KEY (tenant_id, stream, usage_hour, incarnation))""",
            """
            CREATE INDEX IF NOT EXISTS cordwood_scans_hours ON cordwood_scans (usage_hour)""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_scan_nodes (
              incarnation VARCHAR(64) NOT NULL PRIMARY KEY,
              first_open_hour BIGINT NOT NULL)""",
            """
            CREATE TABLE IF NOT EXISTS cordwood_closed_scans (
              tenant_id VARCHAR(800) NOT NULL,
              stream VARCHAR(255) NOT NULL,
              usage_hour BIGINT NOT NULL,
              scanned_bytes BIGINT NOT NULL,
              PRIMARY KEY (tenant_id, stream, usage_hour))""",
            """
            CREATE INDEX IF NOT EXISTS cordwood_closed_scans_hours ON cordwood_closed_scans (usage_hour)""");

    /** What leads to version 1, from 1 to 2, and so on. */
    private static final List<List<String>> MIGRATIONS = List.of(FIRST_VERSION);

    private DatabaseSchema() {}

    /**
     * Brings the schema to this program's version, if it has an older one or none. One program at a time does so.
     *
     * @throws DatabaseException if a newer program has changed it in a way that this one cannot work with
     */
    static void migrate(Connection connection, boolean sqlite) throws SQLException {
        if (!sqlite) {
            execute(connection, "SELECT pg_advisory_xact_lock(%d)".formatted(LOCK));
        }
        execute(connection, VERSION_TABLE);
        int found = 0;
        try (Statement select = connection.createStatement();
                ResultSet rows = select.executeQuery("SELECT version, oldest_program FROM cordwood_schema")) {
            if (rows.next()) {
                found = rows.getInt(1);
                if (rows.getInt(2) > VERSION) {
                    throw new DatabaseException(
                            "The catalog's database has schema version %d, and this program knows version %d: start a newer version of Cordwood, or restore a backup into another database"
                                    .formatted(found, VERSION));
                }
            }
        }
        for (int version = found + 1; version <= VERSION; version++) {
            for (String sql : MIGRATIONS.get(version - 1)) {
                execute(connection, sql);
            }
        }
        if (found < VERSION) {
            execute(connection, "DELETE FROM cordwood_schema");
            execute(
                    connection,
                    "INSERT INTO cordwood_schema (only_row, version, oldest_program) VALUES (1, %d, %d)"
                            .formatted(VERSION, OLDEST_PROGRAM));
            LOG.info(
                    "The catalog's database now has schema version {}; it had {}",
                    VERSION,
                    found == 0 ? "none" : found);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
