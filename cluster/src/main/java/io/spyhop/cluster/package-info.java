/**
 * HBase on one machine, each server in a JVM of its own: HDFS and ZooKeeper too, unless they run
 * elsewhere. A {@link io.spyhop.cluster.ClusterSpec} says what is wanted, {@link
 * io.spyhop.cluster.Cluster} starts it in a directory or finds it there, and a {@link
 * io.spyhop.cluster.Server} is one of its servers, which can be killed, paused and started again.
 *
 * <p>The directory is all there is to know of a cluster, so any process can work on it:
 *
 * <pre>
 * cluster.properties       the mark: this directory is a cluster's
 * conf/                    hbase-site.xml, core-site.xml, hdfs-site.xml, zoo.cfg
 * servers/NAME.properties  what the server is started with: {@link io.spyhop.cluster.ServerPlan}
 * servers/NAME.args        the same as Java takes it
 * pids/NAME.properties     its process, as last started: {@link io.spyhop.cluster.ProcessRecord}
 * logs/NAME.log, NAME.out  what it logs and what it prints
 * data/                    all else
 * </pre>
 */
package io.spyhop.cluster;
