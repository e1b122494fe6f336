/**
 * Reads and writes members of JSON objects. Every other package may use it; it uses none.
 */
package io.cordwood.catalog.json;
