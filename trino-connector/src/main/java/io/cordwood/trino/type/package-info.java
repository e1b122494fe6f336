/** SQL types and values. */
package io.cordwood.trino.type;
