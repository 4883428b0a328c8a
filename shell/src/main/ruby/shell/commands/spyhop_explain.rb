require 'spyhop/where'

module Shell
  module Commands
    # Says how a query would be answered.
    class SpyhopExplain < ::Spyhop::Command
      def help
        <<~EOF
          Says how a query would be answered, region by region: by which index, or by scanning and why.
          Takes what spyhop_query takes.

            hbase> spyhop_explain 'orders', "totalprice BETWEEN 20000 AND 45000"

          With ANALYZE, runs the query too, drops its rows, and says what happened in each region:

            hbase> spyhop_explain 'orders', "totalprice BETWEEN 20000 AND 45000", ANALYZE => true
        EOF
      end

      def command(table, where, given = {})
        options = options(given, ::Spyhop::Where::OPTIONS + %w[ANALYZE])
        query = ::Spyhop::Where.query(where, options)
        rows = client.table(table_name(table))
        plan = options.flag?('ANALYZE') ? rows.explainAnalyze(query) : rows.explain(query)
        plan.toText.each_line { |line| say line.chomp }
        warn_of(rows.remarks(query).ofCondition)
      end
    end
  end
end
