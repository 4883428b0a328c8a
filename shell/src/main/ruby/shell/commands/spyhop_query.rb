require 'spyhop/where'

module Shell
  module Commands
    # Finds rows by value.
    class SpyhopQuery < ::Spyhop::Command
      java_import 'io.spyhop.core.schema.ColumnName'
      java_import 'org.apache.hadoop.hbase.CellUtil'
      java_import 'org.apache.hadoop.hbase.util.Bytes'

      def help
        <<~EOF
          Finds rows by value and prints them in row-key order. The condition is what SQL has after WHERE:
          comparisons, BETWEEN, IN, LIKE 'prefix%', IS [NOT] NULL, AND, OR, NOT. A column without an index
          needs its type: CAST(d:custkey AS LONG) = 7.

            hbase> spyhop_query 'orders', "totalprice BETWEEN 20000 AND 45000"
            hbase> spyhop_query 'ns1:orders', "priority = '3-MEDIUM' AND day >= '1997-03-10'", LIMIT => 10

          COLUMNS returns these columns only, LIMIT the first rows only:

            hbase> spyhop_query 'orders', "totalprice < 900", COLUMNS => ['d:totalprice', 'd:custkey']

          An empty condition asks for every row:

            hbase> spyhop_query 'orders', "", LIMIT => 10

          ORDER_BY returns rows in the order of a column's values, DESC => true the greatest first:

            hbase> spyhop_query 'orders', "", ORDER_BY => 'totalprice', DESC => true, LIMIT => 10

          How the answer is found can be said, too; it is the same: HINT => 'scan', 'index', 'auto' or the
          name of an index, PRUNING => false leaves out no region, and CONSISTENCY says which writes must
          be seen where regions are left out: 'strict' (the default), 'batched' or 'bounded:MILLISECONDS'.

            hbase> spyhop_query 'orders', "totalprice < 900", HINT => 'scan', CONSISTENCY => 'bounded:500'

          ON_UNAVAILABLE says what is done where a global index that can answer is unavailable: 'scan' (the
          default) the rows that it does not know, or 'fail':

            hbase> spyhop_query 'orders', "custkey = 370", ON_UNAVAILABLE => 'fail'

          TIMEOUT ends the query, with an error, after so many seconds:

            hbase> spyhop_query 'orders', "totalprice < 900", TIMEOUT => 30

          Values of columns whose type is declared, or said in the condition, are shown decoded, others
          as their bytes are.
        EOF
      end

      def command(table, where, given = {})
        query = ::Spyhop::Where.query(where, options(given, ::Spyhop::Where::OPTIONS))
        rows = client.table(enabled_table(table))
        remarks = rows.remarks(query)
        cursor = rows.query(query)
        print_rows(cursor, types(rows, query), remarks)
        warn_of(remarks.ofCondition.to_a + remarks.ofRows(cursor).to_a)
      end

      private

      # Asks the master for nothing: who may read may query.
      def types(rows, query)
        types = java.util.HashMap.new
        rows.bind(query).columns.each { |c| types.put(c.name, c.type) }
        types.putAll(rows.declaredTypes)
        types
      end

      def print_rows(cursor, types, remarks)
        formatter.header(['ROW', 'COLUMN+CELL'])
        cursor.each do |row|
          remarks.saw(row)
          key = Bytes.toStringBinary(row.getRow)
          row.rawCells.each { |cell| formatter.row([key, text(cell, types)]) }
        end
        formatter.footer(cursor.count)
      ensure
        cursor.close
      end

      def text(cell, types)
        column = ColumnName.of(CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell))
        "column=#{column}, timestamp=#{time(cell)}, value=#{value(cell, types.get(column))}"
      end

      # As the shell's own scan shows it.
      def time(cell)
        at = java.time.Instant.ofEpochMilli(cell.getTimestamp)
        java.time.LocalDateTime.ofInstant(at, java.time.ZoneId.systemDefault).to_s
      end

      def value(cell, type)
        bytes = [cell.getValueArray, cell.getValueOffset, cell.getValueLength]
        type ? type.codec.display(*bytes) : Bytes.toStringBinary(*bytes)
      end
    end
  end
end
