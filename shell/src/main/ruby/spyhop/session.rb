require 'spyhop/reachable'

module Spyhop
  # The client of a shell, over the shell's own connection.
  module Session
    java_import('io.spyhop.client.Spyhop') { 'Client' }

    # One client a shell: it remembers what it has learnt of the regions.
    def self.client(shell)
      shell.instance_variable_get(:@spyhop_client) ||
        shell.instance_variable_set(:@spyhop_client, connect(connection(shell.hbase)))
    end

    def self.connect(connection)
      Reachable.check(connection.getConfiguration)
      Client.connect(connection)
    end
    private_class_method :connect

    # Not by way of the shell's Admin: that asks for the master, and who may read may query.
    def self.connection(hbase)
      return hbase.connection if hbase.respond_to?(:connection)

      hbase.instance_variable_get(:@connection)
    end
  end
end
