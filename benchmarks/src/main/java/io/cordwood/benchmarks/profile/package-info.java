/** CPU profiles of a JVM: samples by stage and by column. The stages are files in the resources. */
package io.cordwood.benchmarks.profile;
