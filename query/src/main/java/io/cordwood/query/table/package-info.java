/** Tables and their columns as queries see them, of one tenant and over all tenants. */
package io.cordwood.query.table;
