/** The door for clients of Elasticsearch: its bulk requests, and what shippers ask before them. */
package io.cordwood.gateway.elastic;
