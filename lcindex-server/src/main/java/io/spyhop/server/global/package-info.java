/**
 * What users' configurations name, where they have always named it: {@link
 * io.spyhop.server.global.SpyhopRpcSchedulerFactory}. A server that cannot find it does not start.
 */
package io.spyhop.server.global;
