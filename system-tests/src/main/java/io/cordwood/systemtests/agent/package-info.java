/**
 * Runs inside the JVMs of the stack: an agent that removes protections, holds the job at the moment that matters,
 * slows it down, or shifts its clock. It changes classes of the product while they are loaded; the product knows
 * nothing of it.
 */
package io.cordwood.systemtests.agent;
