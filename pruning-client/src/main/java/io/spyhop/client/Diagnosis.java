package io.spyhop.client;

import java.util.List;

/**
 * The findings of a look at a whole cluster.
 *
 * @param servers all that were asked, in the order in which they were
 * @param indexes how many indexes there are, of all tables
 * @param findings what is wrong, servers first; empty if nothing is
 * @param notes what is not wrong, but good to know
 */
public record Diagnosis(
    List<Server> servers, int indexes, List<Finding> findings, List<Finding> notes) {
  /**
   * A server that answered.
   *
   * @param name such as {@code region server host,16020,1700000000000}
   * @param release of Spyhop there
   */
  public record Server(String name, String release) {}

  /**
   * Something that is wrong, or good to know.
   *
   * @param where the server or the table
   * @param what in one line
   * @param remedy what to do about it, in one line
   */
  public record Finding(String where, String what, String remedy) {}

  /** Copies the lists. */
  public Diagnosis {
    servers = List.copyOf(servers);
    findings = List.copyOf(findings);
    notes = List.copyOf(notes);
  }
}
