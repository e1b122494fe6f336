/** Alert rules of tenants, and the states of their alerts. */
package io.cordwood.catalog.alert;
