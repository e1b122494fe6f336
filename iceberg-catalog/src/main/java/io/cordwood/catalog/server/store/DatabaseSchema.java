package io.cordwood.catalog.server.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Cordwood's tables beside those of Iceberg's JDBC catalog. Stateless.
 *
 * <p>The service makes the tables that are missing when it starts.
 */
final class DatabaseSchema {
    private static final List<String> STATEMENTS = List.of(
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

    private DatabaseSchema() {}

    static void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : STATEMENTS) {
                statement.execute(sql);
            }
        }
    }
}
