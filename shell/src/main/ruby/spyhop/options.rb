module Spyhop
  # What a command was given as NAME => value; every complaint names the option.
  class Options
    # given: the hash that the user wrote; known: the names that the command takes
    def initialize(command, given, known)
      unless given.is_a?(Hash)
        raise ArgumentError, "#{command}: options are NAME => value, not #{given.inspect}"
      end

      @given = given.transform_keys(&:to_s)
      unknown = @given.keys - known
      return if unknown.empty?

      raise ArgumentError, "#{command} has no option #{unknown.join(', ')}; it has #{known.join(', ')}"
    end

    def given?(name)
      !@given[name].nil?
    end

    # The value as it is, or nil.
    def value(name)
      @given[name]
    end

    def flag?(name, default = false)
      value = @given.fetch(name, default)
      return value if [true, false].include?(value)

      raise ArgumentError, "#{name} => #{value.inspect} is neither true nor false"
    end

    # Text, or nil.
    def text(name)
      value = @given[name]
      return value if value.nil? || value.is_a?(String)

      raise ArgumentError, "#{name} => #{value.inspect} is no text"
    end

    def required(name)
      text(name) || raise(ArgumentError, "#{name} => '...' is missing")
    end

    # A whole number from 1 that Java takes for an int, or nil.
    def number(name)
      value = @given[name]
      return value if value.nil? || (value.is_a?(Integer) && value.between?(1, 2**31 - 1))

      raise ArgumentError, "#{name} => #{value.inspect} is no whole number from 1 to #{2**31 - 1}"
    end

    # One or several, as an array.
    def list(name)
      Array(@given[name])
    end

    # Several texts.
    def texts(name)
      list(name).each do |one|
        raise ArgumentError, "#{name} => #{one.inspect} is no text" unless one.is_a?(String)
      end
    end

    # The constant of a Java enum, in any case, or nil.
    def enum(name, type)
      value = @given[name]
      return if value.nil?

      type.values.find { |c| c.name.casecmp?(value.to_s) } ||
        raise(ArgumentError, "#{name} => #{value.inspect} is none of #{type.values.map(&:name).join(', ')}")
    end

    # How long to wait: WAIT => true is ten minutes, WAIT => 30 so many seconds; nil is not at all.
    def wait
      value = @given['WAIT']
      return if [nil, false].include?(value)

      java.time.Duration.ofSeconds(value == true ? 600 : number('WAIT'))
    end
  end
end
