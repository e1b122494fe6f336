/** Catalog properties and session properties. */
package io.cordwood.trino.config;
