package io.spyhop.ycsb;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import site.ycsb.Client;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Workload;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.measurements.exporter.MeasurementsExporter;
import site.ycsb.measurements.exporter.TextMeasurementsExporter;

/**
 * Runs YCSB's own client, whose arguments it takes, and ends with a status that says how it went:
 * the client itself goes on when a database or a workload cannot start, and always ends with 0.
 *
 * <p>Exit status: 0 if every operation ended well, 1 if one did not, 2 if nothing was done, as an
 * argument is wrong or the table is not as the properties say.
 */
public final class YcsbMain {
  private static final int FAILED = 1;
  private static final int WRONG = 2;

  /** Arguments of the client that take none, with the property that each stands for. */
  private static final Map<String, Map.Entry<String, String>> FLAGS =
      Map.of(
          "-load", Map.entry(Client.DO_TRANSACTIONS_PROPERTY, "false"),
          "-t", Map.entry(Client.DO_TRANSACTIONS_PROPERTY, "true"),
          "-s", Map.entry(Client.STATUS_PROPERTY, "true"));

  /** Arguments of the client that take one, which is a property's value. */
  private static final Map<String, String> VALUES =
      Map.of(
          "-threads", Client.THREAD_COUNT_PROPERTY,
          "-target", Client.TARGET_PROPERTY,
          "-db", Client.DB_PROPERTY,
          "-l", Client.LABEL_PROPERTY);

  private YcsbMain() {}

  /** YCSB's arguments, such as {@code -load -P FILE -p NAME=VALUE -threads 8 -s}. */
  public static void main(String[] args) {
    Optional<String> obstacle = obstacle(args);
    if (obstacle.isPresent()) {
      Complaints.say(obstacle.get());
      System.exit(WRONG);
    }
    // The client calls System.exit(0) in many places: what it says is overruled on the way out.
    Runtime.getRuntime().addShutdownHook(new Thread(YcsbMain::overrule));
    List<String> all = new ArrayList<>(Arrays.asList(args));
    all.addAll(List.of("-p", Client.EXPORTER_PROPERTY + "=" + Verdict.class.getName()));
    Client.main(all.toArray(new String[0]));
  }

  /** Why the client cannot do what its arguments say, in one line; empty if it can. */
  static Optional<String> obstacle(String... args) {
    try {
      Properties properties = properties(args);
      check(properties);
      rehearse(properties);
      return Optional.empty();
    } catch (WorkloadException | DBException | IOException | RuntimeException e) {
      return Optional.of(Complaints.line(e));
    }
  }

  private static void overrule() {
    if (!Verdict.isGood()) {
      System.out.flush();
      Runtime.getRuntime().halt(FAILED);
    }
  }

  /**
   * Reads the properties as client, database and workload will.
   *
   * @throws WorkloadException if one is wrong; the message names it
   */
  static void check(Properties properties) throws WorkloadException {
    Settings settings = new Settings(properties);
    settings.requireNumbers();
    Verdict.passOnTo(exporter(settings));
    Measurements.setProperties(properties);
    if (settings.text(Client.DB_PROPERTY, "").equals(SpyhopClient.class.getName())) {
      new SpyhopClient().configure(settings);
    }
    Workload workload = settings.instance(Client.WORKLOAD_PROPERTY, Workload.class);
    if (workload instanceof IndexedWorkload ours) {
      ours.configure(settings);
    } else {
      workload.init(properties);
      workload.cleanup();
    }
  }

  private static Constructor<? extends MeasurementsExporter> exporter(Settings settings)
      throws WorkloadException {
    return settings.constructor(
        Client.EXPORTER_PROPERTY,
        TextMeasurementsExporter.class.getName(),
        MeasurementsExporter.class,
        OutputStream.class);
  }

  /** Starts workload and database once, and ends them, so that what they need is known to be. */
  private static void rehearse(Properties properties) throws WorkloadException, DBException {
    Settings settings = new Settings(properties);
    Workload workload = settings.instance(Client.WORKLOAD_PROPERTY, Workload.class);
    workload.init(properties);
    DB db = settings.instance(Client.DB_PROPERTY, DB.class);
    db.setProperties(properties);
    db.init();
    db.cleanup();
    workload.cleanup();
  }

  /** What the client would read: the command line goes before files, what is later before. */
  static Properties properties(String[] args) throws IOException, WorkloadException {
    Properties files = new Properties();
    Properties said = new Properties();
    Iterator<String> rest = List.of(args).iterator();
    while (rest.hasNext()) {
      String name = rest.next();
      Map.Entry<String, String> flag = FLAGS.get(name);
      if (flag != null) {
        said.setProperty(flag.getKey(), flag.getValue());
      } else if (name.equals("-P")) {
        load(files, value(name, rest));
      } else if (name.equals("-p")) {
        String[] pair = pair(value(name, rest));
        said.setProperty(pair[0], pair[1]);
      } else if (VALUES.containsKey(name)) {
        said.setProperty(VALUES.get(name), value(name, rest));
      } else {
        throw new WorkloadException("unknown option " + name);
      }
    }
    files.putAll(said);
    return files;
  }

  private static String value(String name, Iterator<String> rest) throws WorkloadException {
    if (!rest.hasNext()) {
      throw new WorkloadException(name + " has no value");
    }
    return rest.next();
  }

  private static void load(Properties files, String file) throws IOException, WorkloadException {
    try (InputStream in = Files.newInputStream(Path.of(file))) {
      files.load(in);
    } catch (NoSuchFileException e) {
      throw new WorkloadException("there is no file " + file, e);
    }
  }

  private static String[] pair(String text) throws WorkloadException {
    String[] pair = text.split("=", 2);
    if (pair.length < 2) {
      throw new WorkloadException("-p " + text + " has no value: write NAME=VALUE");
    }
    return pair;
  }
}
