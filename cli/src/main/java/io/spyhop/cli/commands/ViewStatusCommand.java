package io.spyhop.cli.commands;

import io.spyhop.cli.output.TextTable;
import io.spyhop.cli.output.Texts;
import io.spyhop.client.Spyhop;
import io.spyhop.client.ViewStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code spyhop view status}. */
@Command(
    name = "status",
    description = {
      "Says whether a column family has the option of sorted views, and how far they are in each"
          + " region.",
      "",
      "How many scans read one, the servers count: spyhopViewScans (docs/views.md).",
      ""
    },
    footerHeading = "%nColumns:%n",
    footer = {
      "  region     encoded name of the region",
      "  server     where it is",
      "  in view    HFiles that the view is of / HFiles; the others are read beside it",
      "  cells      cells in the view",
      "  size       memory that it takes",
      "  pending    yes if a job waits or runs that makes a newer one",
      "  too large  how often there was no room for a view, since the region has been open",
      "  damaged    how often one was damaged, or said what is not so"
    })
final class ViewStatusCommand extends ClientCommand {
  @Mixin private WidthOptions width;

  @Mixin private ViewTarget target;

  @Override
  int run(Spyhop spyhop) throws IOException {
    boolean on = spyhop.admin().hasSortedView(target.table(), target.family());
    PrintWriter out = out();
    out.printf("Sorted views of %s are %s.%n", target, on ? "on" : "off");
    if (on) {
      print(spyhop.admin().viewStatus(target.table()), out);
    }
    return ExitCode.OK;
  }

  private void print(List<ViewStatus> all, PrintWriter out) {
    List<ViewStatus> views = all.stream().filter(v -> v.family().equals(target.family())).toList();
    TextTable lines =
        new TextTable(
            "region",
            "~server",
            ">in view",
            ">cells",
            ">size",
            "pending",
            ">too large",
            ">damaged");
    for (ViewStatus v : views) {
      lines.add(
          v.region(),
          v.server(),
          known(v, v.inView() + "/" + v.hfiles()),
          known(v, Texts.count(v.cells())),
          known(v, Texts.megabytes(v.bytes())),
          known(v, v.isPending() ? "yes" : "no"),
          known(v, v.unused()),
          known(v, v.damaged()));
    }
    lines.lines(width.width()).forEach(out::println);
    for (ViewStatus v : views) {
      if (!v.problem().isEmpty()) {
        out.println("region " + v.region() + ": " + v.problem());
      }
    }
  }

  /** What a region said; one that did not answer has said nothing, which is not zero. */
  private static Object known(ViewStatus view, Object said) {
    return view.isPossible() ? said : "-";
  }
}
