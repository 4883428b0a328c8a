require 'spyhop/where'

module Shell
  module Commands
    # Aggregates of the rows of a query.
    class SpyhopAggregate < ::Spyhop::Command
      java_import 'io.spyhop.client.Aggregation'
      java_import 'org.apache.hadoop.hbase.util.Bytes'

      OPTIONS = (%w[GROUP_BY] + ::Spyhop::Where::WAYS).freeze

      def help
        <<~EOF
          Computes aggregates of the rows that satisfy a condition, without sending the rows: count(*),
          count(column), count(distinct column), min, max, sum and avg. The condition is as that of
          spyhop_query; an empty one is true of every row.

            hbase> spyhop_aggregate 'orders', "totalprice < 900", 'count(*), sum(totalprice)'

          GROUP_BY prints a line for each value of a column, or of two; rows without a value are a group, too:

            hbase> spyhop_aggregate 'orders', "", 'avg(totalprice)', GROUP_BY => 'priority'
            hbase> spyhop_aggregate 'orders', "", 'count(*)', GROUP_BY => ['priority', 'CAST(d:clerk AS STRING)']

          HINT, PRUNING, CONSISTENCY, ON_UNAVAILABLE and TIMEOUT are those of spyhop_query.
        EOF
      end

      def command(table, where, aggregates, given = {})
        raise ArgumentError, "the aggregates #{aggregates.inspect} are no text" unless aggregates.is_a?(String)

        options = options(given, OPTIONS)
        query = ::Spyhop::Where.query(where, options)
        columns = options.texts('GROUP_BY')
        asked = Aggregation.parse(aggregates).groupBy(columns.to_java(:string))
        rows = client.table(enabled_table(table))
        warn_of(rows.remarks(query).ofCondition.to_a)
        print_groups(columns, asked, rows.aggregate(query, asked))
      end

      private

      def print_groups(columns, asked, answer)
        titles = columns + asked.aggregates.map { |a| ">#{a}" }
        print_table(titles, answer.groups.map { |g| (g.key.to_a + g.values.to_a).map { |v| shown(v) } })
      end

      def shown(value)
        case value
        when nil then 'NULL'
        when java.math.BigDecimal then value.toPlainString
        when ::Java::byte[] then Bytes.toStringBinary(value)
        else value.to_s
        end
      end
    end
  end
end
