module Spyhop
  # What a command could not do, in one line.
  class Error < StandardError; end

  # Exceptions of Java as lines for people.
  module Errors
    # What to do where nobody answers.
    WHERE = 'Does HBase run there? The shell asks hbase.zookeeper.quorum of its hbase-site.xml, ' \
            'or what is given with -Dhbase.zookeeper.quorum=HOST:PORT'.freeze

    # What to do where a server has not Spyhop's endpoint.
    UNLOADED = "a server does not run Spyhop: put its jar into HBase's lib/ and the properties of " \
               'conf/hbase-site-spyhop.xml into hbase-site.xml there, and restart it'.freeze

    # Exceptions that say where something failed, not what; what is in their cause.
    WRAPPERS = [
      java.io.UncheckedIOException,
      java.util.concurrent.ExecutionException,
      org.apache.hadoop.hbase.client.RetriesExhaustedException
    ].freeze

    CLASS_NAMES = /\A(?:(?:[a-z]\w*\.)+[A-Z][\w$]*(?:Exception|Error)(?:\([\w.$]+\))?: )+/
    ZOOKEEPER = /\A(?:KeeperErrorCode = |Zookeeper \w+ could not be completed)/
    ENDPOINT = /\ANo registered .* found for spyhop\./
    # All that HBase says of what it does not find, in most cases.
    PLAIN_NAME = /\A[\w.:-]+\z/

    # What happened, and what to do; exceptions of servers carry their stack trace in their message.
    def self.message(exception)
      reason = reason(exception)
      said = reason.message.to_s.sub(CLASS_NAMES, '').lines.first.to_s.strip
      return reason.java_class.simple_name if said.empty?
      return missing(reason, said) if said.match?(PLAIN_NAME)
      return "#{said}. #{WHERE}" if said.match?(ZOOKEEPER)
      return UNLOADED if said.match?(ENDPOINT)

      said
    end

    def self.reason(exception)
      cause = exception.cause
      wrapper = WRAPPERS.any? { |c| exception.is_a?(c) } || unreadable?(exception)
      wrapper && cause && !cause.equal?(exception) ? reason(cause) : exception
    end
    private_class_method :reason

    # A server's exception of a class that HBase's class path does not have.
    def self.unreadable?(exception)
      exception.message.to_s.start_with?('Unable to load exception received from server')
    end
    private_class_method :unreadable?

    def self.missing(reason, name)
      case reason
      when org.apache.hadoop.hbase.TableNotFoundException
        "table '#{name}' does not exist; check the name and its namespace"
      when org.apache.hadoop.hbase.NamespaceNotFoundException
        "namespace '#{name}' does not exist; create it, or use another one"
      else
        name
      end
    end
    private_class_method :missing
  end
end
