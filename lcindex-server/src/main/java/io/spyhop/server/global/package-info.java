/**
 * The classes that users' configurations name, under the name that they have always had: {@link
 * io.spyhop.server.global.SpyhopRpcSchedulerFactory}. A server that cannot find it does not start.
 */
package io.spyhop.server.global;
