require 'spyhop/errors'
require 'spyhop/options'
require 'spyhop/session'

module Spyhop
  # What all commands of the group have: the client, options, tables, and errors in one line.
  class Command < ::Shell::Commands::Command
    java_import 'org.apache.hadoop.hbase.TableName'

    NONE = '-'.freeze

    # The shell asks here first when a command has failed.
    def handle_exceptions(cause, *_args)
      raise cause unless cause.is_a?(java.lang.Throwable)

      raise Error, Errors.message(cause), cause.backtrace
    end

    private

    def client
      Session.client(@shell)
    end

    def index_admin
      client.admin
    end

    def table_name(name)
      raise ArgumentError, "the table's name #{name.inspect} is no text" unless name.is_a?(String)

      TableName.valueOf(name)
    end

    # HBase's client prints a stack for each region of a disabled table.
    def enabled_table(name)
      table = table_name(name)
      admin = Session.connection(@shell.hbase).getAdmin
      raise Error, "table '#{table}' is disabled, and no region answers: enable it" if admin.isTableDisabled(table)

      table
    ensure
      admin&.close
    end

    def options(given, known)
      Options.new(command_name, given, known)
    end

    def say(line)
      formatter.output_strln(line)
    end

    # What was done all the same, but is probably a mistake.
    def warn_of(lines)
      lines.each { |line| say "WARNING: #{line}" }
      nil
    end

    # Prints aligned columns; numbers, below titles that begin with '>', to the right.
    def print_table(titles, rows)
      right = titles.map { |t| t.start_with?('>') }
      lines = [titles.map { |t| t.delete_prefix('>') }] + rows.map { |r| r.map(&:to_s) }
      widths = lines.transpose.map { |column| column.map(&:length).max }
      first, *rest = lines.map { |line| padded(line, widths, right) }
      formatter.header(first)
      rest.each { |line| formatter.row(line) }
      formatter.footer(rows.size)
    end

    def padded(line, widths, right)
      cells = line.each_with_index.map do |cell, i|
        right[i] ? cell.rjust(widths[i]) : cell.ljust(widths[i])
      end
      cells[-1] = cells[-1].rstrip
      cells
    end

    # 1234567 as 1,234,567
    def count(number)
      number.to_s.reverse.scan(/\d{1,3}/).join(',').reverse
    end

    def megabytes(bytes)
      format('%.1f MB', bytes / 1e6)
    end

    def say_unreadable(table)
      index_admin.unreadable(table).each do |name, why|
        say "index '#{name}' is served by nobody: #{why}. Drop it, or create it again"
      end
    end

    def wait_until_active(table, name, limit)
      start = Time.now
      index_admin.waitUntilActive(table, name, limit)
      say format('It is active after %.1f s.', Time.now - start)
    end
  end
end
