/**
 * The master's part in global indexes: it creates, drops and rebuilds their tables together with
 * their definitions ({@link io.spyhop.server.ddl.GlobalIndexDdl}), in steps that the next master
 * can end, lets them follow what happens to the base table ({@link
 * io.spyhop.server.ddl.BaseTableLife}), and refuses descriptors that would break them ({@link
 * io.spyhop.server.ddl.DescriptorRules}).
 *
 * <p>One change of a definition:
 *
 * <ol>
 *   <li>A client asks the master until there is an answer or a refusal. {@code TableTaskQueues} run
 *       one thing after the other for each table, tables side by side.
 *   <li>{@code DdlSteps} notes in the {@code DdlJournal} what begins, and looks before each step at
 *       what is there: all of it can be done again, by this master after a failure or by the next,
 *       which reads the journal when it starts (docs/decisions/0020).
 *   <li>{@code BaseTableLife} is called by hooks of HBase's procedures, behind HBase's own checks
 *       and with the base table locked. A truncate of the base table truncates its index tables
 *       first; an alter that shows old cells, takes a definition away or puts one back has the
 *       index built again. A procedure that goes on in another master calls the hook again.
 * </ol>
 */
package io.spyhop.server.ddl;
