package io.spyhop.jdbc;

import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBiVisitor;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexVariable;
import org.apache.calcite.rex.RexVisitor;

/** Shows fields by their names in place of {@code $3}, for people alone. Immutable. */
final class NamedFields extends RexShuttle {
  private final List<String> names;

  NamedFields(List<String> names) {
    this.names = names;
  }

  @Override
  public RexNode visitInputRef(RexInputRef ref) {
    return new Named(names.get(ref.getIndex()), ref.getType());
  }

  private static final class Named extends RexVariable {
    Named(String name, RelDataType type) {
      super(name, type);
    }

    @Override
    public <R> R accept(RexVisitor<R> visitor) {
      throw new UnsupportedOperationException("a name is for people");
    }

    @Override
    public <R, P> R accept(RexBiVisitor<R, P> visitor, P arg) {
      throw new UnsupportedOperationException("a name is for people");
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Named other && digest.equals(other.digest);
    }

    @Override
    public int hashCode() {
      return digest.hashCode();
    }
  }
}
