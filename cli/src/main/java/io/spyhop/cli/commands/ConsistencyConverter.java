package io.spyhop.cli.commands;

import io.spyhop.client.Consistency;
import io.spyhop.client.InvalidQueryException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a consistency level. */
final class ConsistencyConverter implements ITypeConverter<Consistency> {
  @Override
  public Consistency convert(String text) {
    try {
      return Consistency.parse(text);
    } catch (InvalidQueryException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
