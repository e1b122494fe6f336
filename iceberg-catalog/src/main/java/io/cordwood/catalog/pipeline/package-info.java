/** What the ingest gateway does to a tenant's rows before they reach Kafka, and its JSON. */
package io.cordwood.catalog.pipeline;
