/**
 * HTTP of the catalog service: routing, authentication, responses and errors.
 */
package io.cordwood.catalog.server.http;
