/**
 * Binds the columns and predicates of a query to one table: to stored columns, constants, and expressions that Iceberg
 * and the filters in manifests understand.
 */
package io.cordwood.query.binding;
