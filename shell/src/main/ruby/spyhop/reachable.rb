module Spyhop
  # Whether there is a ZooKeeper: HBase's client tries for minutes before it says that there is none.
  module Reachable
    java_import 'org.apache.hadoop.hbase.zookeeper.ZKConfig'

    TIMEOUT_MILLIS = 3_000
    REGISTRY = 'hbase.client.registry.impl'.freeze

    # Raises an error that names all servers if none of them answers.
    def self.check(configuration)
      return unless configuration.get(REGISTRY, 'ZKConnectionRegistry').end_with?('ZKConnectionRegistry')

      failures = []
      ZKConfig.getZKQuorumServersString(configuration).split(',').each do |server|
        failure = failure(server)
        return if failure.nil?

        failures << failure
      end
      raise Error, "no ZooKeeper answers: #{failures.join('; ')}. #{Errors::WHERE}"
    end

    def self.failure(server)
      host, _, port = server.strip.rpartition(':')
      socket = java.net.Socket.new
      socket.connect(java.net.InetSocketAddress.new(host, port.to_i), TIMEOUT_MILLIS)
      nil
    rescue java.io.IOException, java.lang.IllegalArgumentException => e
      "#{server}: #{e.message}"
    ensure
      socket&.close
    end
    private_class_method :failure
  end
end
