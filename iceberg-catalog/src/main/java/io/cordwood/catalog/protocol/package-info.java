/**
 * Requests and responses of the catalog service and their JSON, shared by client and server.
 */
package io.cordwood.catalog.protocol;
