package io.spyhop.gateway;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spyhop.client.InvalidQueryException;
import io.spyhop.client.Order;
import io.spyhop.client.Query;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;

/**
 * A query as a client sends it (docs/formats/gateway.md). Immutable.
 *
 * @param query the condition with its parameters, order, limit and timeout
 * @param columns of the answer, as they were named; empty for the row key and all declared ones
 */
record QueryRequest(TableName table, Query query, Optional<List<String>> columns) {
  private static final int VERSION = 1;

  private static final Set<String> KEYS =
      Set.of(
          "version",
          "table",
          "where",
          "params",
          "columns",
          "orderBy",
          "descending",
          "limit",
          "timeoutMs");

  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  /**
   * Reads a query.
   *
   * @param most the longest time that it may take, also if it asks for more or for none
   * @throws InvalidQueryException if it is none, or of a version or with a key that is not known
   */
  static QueryRequest parse(byte[] json, Duration most) {
    ObjectNode root = object(json);
    requireKnown(root);
    Query query = parameters(condition(root), root.get("params"));
    Optional<String> order = text(root, "orderBy");
    boolean descending = flag(root, "descending");
    if (order.isPresent()) {
      query = query.orderBy(order.get(), descending ? Order.DESC : Order.ASC);
    } else if (descending) {
      throw new InvalidQueryException("descending is for orderBy, which is missing");
    }
    Optional<Long> limit = number(root, "limit", Integer.MAX_VALUE);
    if (limit.isPresent()) {
      query = query.limit(limit.get().intValue());
    }
    Duration asked = number(root, "timeoutMs", Long.MAX_VALUE).map(Duration::ofMillis).orElse(most);
    query = query.timeout(asked.compareTo(most) < 0 ? asked : most);
    return new QueryRequest(table(root), query, columns(root));
  }

  /** The query for all rows of a table. */
  static byte[] ofTable(String table) {
    ObjectNode root = JSON.createObjectNode().put("version", VERSION).put("table", table);
    try {
      return JSON.writeValueAsBytes(root);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("two plain fields are no JSON", e);
    }
  }

  private static ObjectNode object(byte[] json) {
    JsonNode root;
    try {
      root = JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new InvalidQueryException("the query is no JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new InvalidQueryException("the query cannot be read: " + e.getMessage(), e);
    }
    if (root instanceof ObjectNode object) {
      return object;
    }
    throw new InvalidQueryException("the query is no JSON object");
  }

  private static void requireKnown(ObjectNode root) {
    long version =
        number(root, "version", Integer.MAX_VALUE)
            .orElseThrow(() -> new InvalidQueryException("the query has no version"));
    if (version != VERSION) {
      throw new InvalidQueryException(
          "queries of version "
              + version
              + " are not known to this gateway, which knows version "
              + VERSION);
    }
    Set<String> unknown = new TreeSet<>();
    root.fieldNames().forEachRemaining(unknown::add);
    unknown.removeAll(KEYS);
    if (!unknown.isEmpty()) {
      throw new InvalidQueryException(
          "unknown keys " + unknown + " of a query; there are " + new TreeSet<>(KEYS));
    }
  }

  private static TableName table(ObjectNode root) {
    String name =
        text(root, "table").orElseThrow(() -> new InvalidQueryException("the query has no table"));
    try {
      return TableName.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw new InvalidQueryException("'" + name + "' is no name of a table", e);
    }
  }

  private static Query condition(ObjectNode root) {
    return text(root, "where").filter(w -> !w.isBlank()).map(Query::where).orElseGet(Query::all);
  }

  /** An array is for {@code ?}, an object for names. */
  private static Query parameters(Query query, JsonNode params) {
    Query set = query;
    if (params == null || params.isNull()) {
      return set;
    }
    if (params.isArray()) {
      for (int i = 0; i < params.size(); i++) {
        set = set.set(i + 1, value(params.get(i)));
      }
      return set;
    }
    if (!params.isObject()) {
      throw wrong("params", "an array or an object");
    }
    Iterator<Map.Entry<String, JsonNode>> named = params.fields();
    while (named.hasNext()) {
      Map.Entry<String, JsonNode> one = named.next();
      set = set.set(one.getKey(), value(one.getValue()));
    }
    return set;
  }

  private static Object value(JsonNode node) {
    if (node.isArray()) {
      List<Object> values = new ArrayList<>();
      node.forEach(n -> values.add(single(n)));
      return values;
    }
    return single(node);
  }

  private static Object single(JsonNode node) {
    if (node.isTextual()) {
      return node.textValue();
    }
    if (node.isBoolean()) {
      return node.booleanValue();
    }
    if (node.isNumber()) {
      return node.numberValue();
    }
    if (node.isObject() && node.size() == 1 && node.path("bytes").isTextual()) {
      return bytes(node.path("bytes").textValue());
    }
    throw wrong("a parameter", "a text, a number, true, false, {\"bytes\": BASE64} or an array");
  }

  private static byte[] bytes(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new InvalidQueryException("the bytes of a parameter are no base64", e);
    }
  }

  private static Optional<List<String>> columns(ObjectNode root) {
    JsonNode node = root.get("columns");
    if (node == null || node.isNull()) {
      return Optional.empty();
    }
    List<String> names = new ArrayList<>();
    node.forEach(n -> names.add(n.textValue()));
    if (!node.isArray() || names.isEmpty() || names.contains(null)) {
      throw wrong("columns", "an array of one name or more");
    }
    return Optional.of(List.copyOf(names));
  }

  private static Optional<String> text(ObjectNode root, String key) {
    JsonNode node = root.get(key);
    if (node == null || node.isNull()) {
      return Optional.empty();
    }
    if (!node.isTextual()) {
      throw wrong(key, "a text");
    }
    return Optional.of(node.textValue());
  }

  private static Optional<Long> number(ObjectNode root, String key, long most) {
    JsonNode node = root.get(key);
    if (node == null || node.isNull()) {
      return Optional.empty();
    }
    boolean whole = node.isIntegralNumber() && node.canConvertToLong();
    if (!whole || node.longValue() < 1 || node.longValue() > most) {
      throw wrong(key, "a whole number from 1 to " + most);
    }
    return Optional.of(node.longValue());
  }

  private static boolean flag(ObjectNode root, String key) {
    JsonNode node = root.get(key);
    if (node != null && !node.isNull() && !node.isBoolean()) {
      throw wrong(key, "true or false");
    }
    return node != null && node.booleanValue();
  }

  private static InvalidQueryException wrong(String what, String expected) {
    return new InvalidQueryException(what + " of a query is not " + expected);
  }
}
