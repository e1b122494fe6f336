/**
 * What the columns and predicates of a query are in one table: stored columns, constants, and expressions that Iceberg
 * and the filters in manifests understand.
 */
package io.cordwood.query.binding;
