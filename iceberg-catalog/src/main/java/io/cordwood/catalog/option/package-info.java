/** Command-line options of clients of the catalog, and values that name its parts. */
package io.cordwood.catalog.option;
