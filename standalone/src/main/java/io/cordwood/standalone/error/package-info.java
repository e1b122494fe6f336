/**
 * The error of the command line and the texts of errors. Depends on no other package.
 */
package io.cordwood.standalone.error;
