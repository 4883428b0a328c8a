package io.spyhop.ycsb;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import site.ycsb.Client;
import site.ycsb.WorkloadException;

/**
 * Runs YCSB's own client, whose arguments it takes, after looking at the properties: the client
 * itself goes on when a database or a workload cannot start, and its exit status says nothing.
 */
public final class YcsbMain {
  private static final int WRONG = 2;

  private YcsbMain() {}

  /** YCSB's arguments, such as {@code -load -P FILE -p NAME=VALUE -threads 8 -s}. */
  public static void main(String[] args) {
    try {
      check(properties(args));
    } catch (WorkloadException | IOException e) {
      System.err.println("spyhop-ycsb: " + e.getMessage());
      System.exit(WRONG);
    }
    Client.main(args);
  }

  /** Reads the properties as database and workload will, if they are of this package. */
  static void check(Properties properties) throws WorkloadException {
    Settings settings = new Settings(properties);
    if (settings.text(Client.DB_PROPERTY, "").equals(SpyhopClient.class.getName())) {
      new SpyhopClient().configure(settings);
    }
    for (IndexedWorkload workload :
        List.of(new ValueWorkload(), new MdrqWorkload(), new BatchRangeWorkload())) {
      if (settings.text(Client.WORKLOAD_PROPERTY, "").equals(workload.getClass().getName())) {
        workload.configure(settings);
      }
    }
  }

  /** What the client would read, later ones before earlier ones. */
  private static Properties properties(String[] args) throws IOException, WorkloadException {
    Properties files = new Properties();
    Properties said = new Properties();
    for (int i = 0; i + 1 < args.length; i++) {
      if (args[i].equals("-db")) {
        said.setProperty(Client.DB_PROPERTY, args[++i]);
      } else if (args[i].equals("-P")) {
        try (InputStream in = Files.newInputStream(Path.of(args[++i]))) {
          files.load(in);
        }
      } else if (args[i].equals("-p")) {
        String[] pair = args[++i].split("=", 2);
        if (pair.length < 2) {
          throw new WorkloadException("-p " + args[i] + " has no value: write NAME=VALUE");
        }
        said.setProperty(pair[0], pair[1]);
      }
    }
    files.putAll(said);
    return files;
  }
}
