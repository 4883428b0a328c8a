package io.spyhop.cli.commands;

import io.spyhop.core.schema.BloomSize;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the size of bloom filters. */
final class BloomConverter implements ITypeConverter<BloomSize> {
  @Override
  public BloomSize convert(String text) {
    try {
      return BloomSize.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
