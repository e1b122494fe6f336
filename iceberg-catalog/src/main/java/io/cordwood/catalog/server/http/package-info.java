/**
 * The requests of the catalog service: routes, authentication, permissions and errors.
 */
package io.cordwood.catalog.server.http;
