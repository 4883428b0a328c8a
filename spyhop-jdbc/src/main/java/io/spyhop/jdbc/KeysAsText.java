package io.spyhop.jdbc;

import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Refuses a row key that is compared with text: Calcite would compare its hexadecimal digits. */
final class KeysAsText extends RexVisitorImpl<Void> {
  private final PushedQuery query;

  KeysAsText(PushedQuery query) {
    super(true);
    this.query = query;
  }

  @Override
  public Void visitCall(RexCall call) {
    if (SqlKind.COMPARISON.contains(call.getKind())) {
      RexNode left = call.getOperands().get(0);
      RexNode right = call.getOperands().get(1);
      if (isKeyAsText(left) && isText(right) || isKeyAsText(right) && isText(left)) {
        throw new RefusedException(
            "row keys are bytes, not text: rowkey is compared with KEY_BYTES('...')");
      }
    }
    return super.visitCall(call);
  }

  private boolean isKeyAsText(RexNode node) {
    return node.getKind() == SqlKind.CAST
        && SqlTypeUtil.isCharacter(node.getType())
        && ((RexCall) node).getOperands().get(0) instanceof RexInputRef ref
        && query.column(ref.getIndex()).isRowKey();
  }

  private static boolean isText(RexNode node) {
    return node instanceof RexLiteral && SqlTypeUtil.isCharacter(node.getType());
  }
}
