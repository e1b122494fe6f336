/**
 * The requests and answers of the catalog service and their JSON, shared by the client and the server.
 */
package io.cordwood.catalog.protocol;
