/**
 * Reads and compares the stored bytes of cells, and turns them into order-preserving keys.
 *
 * <p>A {@link io.spyhop.core.value.ValueType} names the way a column's bytes are to be read; its
 * {@link io.spyhop.core.value.ValueCodec} does it. A literal of a query becomes an {@link
 * io.spyhop.core.value.Operand}, which compares itself with stored bytes. An index file sorts by
 * {@link io.spyhop.core.value.ValueKey}, and by {@link io.spyhop.core.value.ComposedKey} where the
 * row key follows. Read them in this order.
 *
 * <p><b>One comparison.</b> Filters compare with {@code Operand.compareStored}, index files with
 * the bytes of keys, and both must agree: for two values with exact keys the signs are equal; where
 * a key is inexact (the value was cut or rounded) the key order is still non-strictly monotone, so
 * a range of keys with inclusive bounds never loses a value. {@code ValueKey.UNKEYABLE} alone
 * stands outside this order.
 *
 * <p><b>Two ideas per codec.</b> A <i>form</i> ({@code LongForm}, {@code DoubleForm}, {@code
 * DecimalForm}, {@code BytesForm}) is how a value is laid out in the cell; the <i>domain</i> is
 * what the value is: one codec class per domain ({@code LongCodec}, {@code DoubleCodec}, {@code
 * DecimalCodec}, {@code BytesCodec}) has the comparison, the key and the literals. A new stored
 * form is one class and one line in {@code ValueType}.
 *
 * <p>Keys are written with HBase's {@link org.apache.hadoop.hbase.util.OrderedBytes} and nothing
 * else; {@code OrderedKeys} says what has to be done to a value first so that the bytes order as
 * the values do.
 */
package io.spyhop.core.value;
