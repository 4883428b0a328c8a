package io.spyhop.jdbc;

import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Calls that Calcite 1.42 computes wrongly: a statement with one is refused. Stateless. */
final class WrongCalls extends RexShuttle {
  private static final int MILLIS = 3;

  private WrongCalls() {}

  /**
   * Looks at a whole statement.
   *
   * @throws RefusedException if there is such a call; the message says what to write
   */
  static void refuse(RelNode statement) {
    WrongCalls calls = new WrongCalls();
    statement.accept(
        new RelHomogeneousShuttle() {
          @Override
          public RelNode visit(RelNode node) {
            node.accept(calls);
            return super.visit(node);
          }
        });
  }

  @Override
  public RexNode visitSubQuery(RexSubQuery query) {
    refuse(query.rel);
    return super.visitSubQuery(query);
  }

  /** Offsets from NULL fail, those from dates, months and descending orders are others. */
  @Override
  public RexNode visitOver(RexOver call) {
    RexWindow window = call.getWindow();
    if (!window.isRows()
        && (window.getLowerBound().getOffset() != null
            || window.getUpperBound().getOffset() != null)) {
      throw new RefusedException(
          "window frames of RANGE with an offset are not computed: write ROWS, or join the table"
              + " with itself (a.x BETWEEN b.x - 2 AND b.x)");
    }
    if (call.getAggOperator().getKind() == SqlKind.NTH_VALUE) {
      throw new RefusedException("NTH_VALUE is not computed: it would look beyond its frame");
    }
    return super.visitOver(call);
  }

  @Override
  public RexNode visitCall(RexCall call) {
    if (call.getKind() == SqlKind.CAST) {
      check(call.getType(), call.getOperands().get(0));
    }
    return super.visitCall(call);
  }

  /** A text of a TIMESTAMP has no milliseconds, and one of fewer digits has them. */
  private static void check(RelDataType to, RexNode from) {
    boolean loses =
        SqlTypeUtil.isCharacter(to)
            || to.getSqlTypeName() == SqlTypeName.TIMESTAMP && to.getPrecision() < MILLIS;
    boolean whole = from.getKind() == SqlKind.FLOOR || from.getKind() == SqlKind.CEIL;
    if (from.getType().getSqlTypeName() == SqlTypeName.TIMESTAMP
        && from.getType().getPrecision() >= MILLIS
        && loses
        && !whole) {
      throw new RefusedException(
          "CAST of a TIMESTAMP(3) to "
              + to
              + " is not computed, as milliseconds would be wrong: cast FLOOR(.. TO SECOND)");
    }
  }
}
