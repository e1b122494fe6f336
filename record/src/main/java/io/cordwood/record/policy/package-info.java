/**
 * The operator's decisions about records, and the rules for tenant ids.
 */
package io.cordwood.record.policy;
