/**
 * Tenants, users and streams: their names, settings and access rules. Value types that depend on no other package.
 */
package io.cordwood.catalog.tenant;
