/**
 * The master's part in global indexes: it creates, drops and rebuilds their tables together with
 * their definitions ({@link io.spyhop.server.ddl.GlobalIndexDdl}), in steps that the next master
 * can end, lets them follow what happens to the base table ({@link
 * io.spyhop.server.ddl.BaseTableLife}), and refuses descriptors that would break them ({@link
 * io.spyhop.server.ddl.DescriptorRules}).
 */
package io.spyhop.server.ddl;
