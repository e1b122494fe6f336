/**
 * The HTTP of services: servers with TLS, request bodies within bounds, and responses.
 */
package io.cordwood.http;
