package io.spyhop.cli.commands;

import io.spyhop.client.Diagnosis;
import io.spyhop.client.Spyhop;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

/** {@code spyhop doctor}. */
@Command(
    name = "doctor",
    description = {
      "Looks at a running cluster and says what is wrong, and what to do about it.",
      "",
      "Of the master and every region server: whether Spyhop is loaded and could be started, its"
          + " release, its handlers, its clock, whether index files can be written and have room,"
          + " and whether the observer of regions is loaded once. Of every table: definitions that"
          + " nobody serves, regions that do not answer, sorted views where there can be none, and"
          + " index tables that are left over; as notes, tables whose store files are tracked in"
          + " files, over which snapshots cannot be restored safely, and what HBase 2.5 lacks.",
      "It changes nothing, and takes ADMIN on everything. The exit code is 1 if something is"
          + " wrong.",
      ""
    })
final class DoctorCommand extends ClientCommand {
  @Override
  int run(Spyhop spyhop) throws IOException {
    Diagnosis diagnosis = spyhop.admin().diagnose();
    print(diagnosis, out());
    return diagnosis.findings().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static void print(Diagnosis diagnosis, PrintWriter out) {
    diagnosis.servers().forEach(s -> out.printf("%s: Spyhop %s%n", s.name(), s.release()));
    out.printf("%d indexes%n%n", diagnosis.indexes());
    for (Diagnosis.Finding f : diagnosis.findings()) {
      out.printf("%s: %s%n  -> %s%n", f.where(), f.what(), f.remedy());
    }
    for (Diagnosis.Finding n : diagnosis.notes()) {
      out.printf("note: %s: %s%n  -> %s%n", n.where(), n.what(), n.remedy());
    }
    int wrong = diagnosis.findings().size();
    out.println(
        wrong == 0 ? "Nothing is wrong." : wrong == 1 ? "1 finding." : wrong + " findings.");
  }
}
