package io.spyhop.jdbc;

import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/**
 * Commas between tables bind less than JOIN does. Calcite's parser takes both from the left, which
 * is another answer for RIGHT and FULL JOIN.
 */
final class Commas extends SqlBasicVisitor<Void> {
  /** Changes a parsed statement. */
  static void bindLess(SqlNode statement) {
    statement.accept(new Commas());
  }

  @Override
  public Void visit(SqlCall call) {
    super.visit(call);
    if (call instanceof SqlJoin join
        && (join.getJoinType() == JoinType.RIGHT || join.getJoinType() == JoinType.FULL)) {
      SqlJoin first = join;
      while (first.getLeft() instanceof SqlJoin left && left.getJoinType() != JoinType.COMMA) {
        first = left;
      }
      if (first.getLeft() instanceof SqlJoin list) {
        first.setLeft(list.getRight());
        rotate(join, list);
      }
    }
    return null;
  }

  /** {@code a, b} is taken out of what was {@code (a, b) JOIN c}: {@code a, (b JOIN c)}. */
  private static void rotate(SqlJoin join, SqlJoin list) {
    SqlJoin last =
        new SqlJoin(
            join.getParserPosition(),
            join.getLeft(),
            join.isNaturalNode(),
            join.getJoinTypeNode(),
            join.getRight(),
            join.getConditionTypeNode(),
            join.getCondition());
    int operand = 0;
    for (SqlNode of : list.getOperandList()) {
      join.setOperand(operand++, of);
    }
    join.setRight(last);
  }
}
