/**
 * The coprocessors through which HBase calls Spyhop: {@link
 * io.spyhop.server.hook.SpyhopRegionServer} once per server, {@link
 * io.spyhop.server.hook.SpyhopRegion} once per region of a user table, {@link
 * io.spyhop.server.hook.SpyhopMaster} on the master. Hooks hand over and do nothing themselves.
 */
package io.spyhop.server.hook;
