/**
 * Serializers that write a version in front of each value. Depends on no other package.
 */
package io.cordwood.ingest.serial;
