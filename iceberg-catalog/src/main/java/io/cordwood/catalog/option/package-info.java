/** Values of command-line options that name parts of the catalog. */
package io.cordwood.catalog.option;
