package io.spyhop.server.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.apache.hadoop.conf.Configuration;

/**
 * The defaults of Hadoop and HBase without their descriptions. HBase reads Hadoop's anew for each
 * store's first HFile (a copy of a compound configuration begins with the XML) and both in many
 * other places: a tenth of the tests' CPU time, and four fifths of the XML are text for people.
 */
final class BriefDefaults {
  private static final List<String> FILES =
      List.of("core-default.xml", "hdfs-default.xml", "hbase-default.xml");

  /** That a class of MapReduce adds, of which nothing runs here. */
  private static final List<String> EMPTY = List.of("mapred-default.xml", "yarn-default.xml");

  private BriefDefaults() {}

  /** Writes them beside the tests' classes, which come before the jars. */
  static void write() throws IOException, URISyntaxException, XMLStreamException {
    ClassLoader loader = BriefDefaults.class.getClassLoader();
    Path classes =
        Path.of(BriefDefaults.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    for (String file : EMPTY) {
      write(new Configuration(false), classes.resolve(file));
    }
    for (String file : FILES) {
      for (URL url : Collections.list(loader.getResources(file))) {
        if (url.getProtocol().equals("jar")) {
          Configuration defaults = new Configuration(false);
          defaults.addResource(url);
          write(defaults, classes.resolve(file));
        }
      }
    }
  }

  /** Whole at once, as tests run in several JVMs, of which one may list the classes meanwhile. */
  private static void write(Configuration defaults, Path file)
      throws IOException, XMLStreamException {
    Path beside = file.getParent().resolveSibling("defaults");
    Path whole = Files.createTempFile(Files.createDirectories(beside), "defaults", ".tmp");
    try (OutputStream stream = Files.newOutputStream(whole)) {
      XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(stream);
      xml.writeStartElement("configuration");
      for (Map.Entry<String, String> property : defaults) {
        xml.writeEmptyElement("property");
        xml.writeAttribute("name", property.getKey());
        xml.writeAttribute("value", property.getValue());
      }
      xml.writeEndElement();
      xml.close();
    }
    Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
