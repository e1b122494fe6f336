/** Tables of the schema {@code system}. */
package io.cordwood.trino.system;
