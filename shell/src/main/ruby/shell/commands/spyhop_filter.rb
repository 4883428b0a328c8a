require 'spyhop/where'

module Shell
  module Commands
    # A condition as a filter for the shell's scan.
    class SpyhopFilter < ::Spyhop::Command
      def help
        <<~EOF
          Returns a condition on a table as a filter for the shell's scan, with the types that the table
          declares. The scan is answered from indexes where that pays; the rows are the same.

            hbase> scan 'orders', FILTER => spyhop_filter('orders', "totalprice BETWEEN 20000 AND 45000")

          As with HBase's own filters, what the scan does not select is not there: a scan with COLUMNS
          must select the condition's columns, too. The shell's count shows filters the first cell of a
          row alone, which makes the number wrong; spyhop_query counts its rows.
        EOF
      end

      def command(table, where)
        query = ::Spyhop::Where.query(where, options({}, []))
        client.table(table_name(table)).filter(query)
      end
    end
  end
end
