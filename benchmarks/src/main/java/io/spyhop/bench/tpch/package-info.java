/**
 * TPC-H's ORDERS table in HBase: {@link io.spyhop.bench.tpch.OrdersTable} says how an order is
 * stored, {@link io.spyhop.bench.tpch.OrderStream} generates orders, {@link
 * io.spyhop.bench.tpch.OrdersLoader} writes them.
 */
package io.spyhop.bench.tpch;
