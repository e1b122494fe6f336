/**
 * HTTP of the catalog service: routing, authentication, replies and errors.
 */
package io.cordwood.catalog.server.http;
