/** Logging in to Trino with the tokens of the catalog service, and who is an operator. */
package io.cordwood.trino.login;
