package io.spyhop.client.internal.plan;

import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.Predicate.Operator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sf.jsqlparser.expression.BinaryExpression;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.NotExpression;
import net.sf.jsqlparser.expression.operators.conditional.AndExpression;
import net.sf.jsqlparser.expression.operators.conditional.OrExpression;
import net.sf.jsqlparser.expression.operators.relational.Between;
import net.sf.jsqlparser.expression.operators.relational.EqualsTo;
import net.sf.jsqlparser.expression.operators.relational.GreaterThan;
import net.sf.jsqlparser.expression.operators.relational.GreaterThanEquals;
import net.sf.jsqlparser.expression.operators.relational.InExpression;
import net.sf.jsqlparser.expression.operators.relational.IsNullExpression;
import net.sf.jsqlparser.expression.operators.relational.LikeExpression;
import net.sf.jsqlparser.expression.operators.relational.MinorThan;
import net.sf.jsqlparser.expression.operators.relational.MinorThanEquals;
import net.sf.jsqlparser.expression.operators.relational.NotEqualsTo;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.expression.operators.relational.SupportsOldOracleJoinSyntax;
import net.sf.jsqlparser.schema.Column;

/** Turns JSqlParser's tree into a predicate, and refuses what is not a condition here. */
final class ConditionReader {
  private static final Map<Class<?>, Operator> OPERATORS =
      Map.of(
          EqualsTo.class, Operator.EQ,
          NotEqualsTo.class, Operator.NE,
          MinorThan.class, Operator.LT,
          MinorThanEquals.class, Operator.LE,
          GreaterThan.class, Operator.GT,
          GreaterThanEquals.class, Operator.GE);

  private static final Map<Operator, Operator> FLIPPED =
      Map.of(
          Operator.EQ, Operator.EQ,
          Operator.NE, Operator.NE,
          Operator.LT, Operator.GT,
          Operator.LE, Operator.GE,
          Operator.GT, Operator.LT,
          Operator.GE, Operator.LE);

  private final Complaint complaint;
  private final LiteralReader literals;
  private final ColumnReader columns;

  ConditionReader(Complaint complaint) {
    this.complaint = complaint;
    this.literals = new LiteralReader(complaint);
    this.columns = new ColumnReader(complaint);
  }

  Predicate read(Expression e) {
    Expression plain = Parentheses.strip(e);
    if (plain instanceof AndExpression) {
      return new Predicate.And(chain(plain, AndExpression.class));
    }
    if (plain instanceof OrExpression) {
      return new Predicate.Or(chain(plain, OrExpression.class));
    }
    if (plain instanceof NotExpression not) {
      return read(not.getExpression()).not();
    }
    return condition(plain);
  }

  /** The members of {@code a AND b AND c}, a tree that leans left and may be very deep. */
  private List<Predicate> chain(Expression e, Class<? extends BinaryExpression> kind) {
    Deque<Predicate> members = new ArrayDeque<>();
    Expression rest = e;
    while (kind.isInstance(rest)) {
      BinaryExpression pair = kind.cast(rest);
      members.addFirst(read(pair.getRightExpression()));
      rest = pair.getLeftExpression();
    }
    members.addFirst(read(rest));
    return new ArrayList<>(members);
  }

  private Predicate condition(Expression e) {
    Operator operator = OPERATORS.get(e.getClass());
    if (operator != null) {
      return comparison((BinaryExpression) e, operator);
    }
    if (e instanceof Between between) {
      return between(between);
    }
    if (e instanceof InExpression in) {
      return in(in);
    }
    if (e instanceof LikeExpression like) {
      return like(like);
    }
    if (e instanceof IsNullExpression isNull) {
      return isNull(isNull);
    }
    throw noCondition(e);
  }

  private RuntimeException noCondition(Expression e) {
    return e instanceof Column
        ? complaint.about(e, "is a column, not a condition; write for example " + e + " = TRUE")
        : complaint.about(e, ExpressionNames.notSupported(e));
  }

  private Predicate comparison(BinaryExpression e, Operator operator) {
    refuseOracleSyntax(e, (SupportsOldOracleJoinSyntax) e);
    Optional<Object> right = literals.read(e.getRightExpression());
    if (right.isPresent()) {
      return new Predicate.Comparison(columns.read(e.getLeftExpression()), operator, right.get());
    }
    Optional<Object> left = literals.read(e.getLeftExpression());
    if (left.isPresent()) {
      return new Predicate.Comparison(
          columns.read(e.getRightExpression()), FLIPPED.get(operator), left.get());
    }
    columns.read(e.getLeftExpression());
    columns.read(e.getRightExpression());
    throw complaint.about(
        e, "compares two columns; one side must be a literal, with text in single quotes");
  }

  private Predicate between(Between e) {
    Predicate between =
        new Predicate.Between(
            columns.read(e.getLeftExpression()),
            literals.require(e.getBetweenExpressionStart()),
            literals.require(e.getBetweenExpressionEnd()));
    return e.isNot() ? between.not() : between;
  }

  private Predicate in(InExpression e) {
    refuseOracleSyntax(e, e);
    if (e.isGlobal() || !(e.getRightExpression() instanceof ParenthesedExpressionList<?> list)) {
      throw complaint.about(e, "IN needs a list of literals in parentheses");
    }
    if (list.isEmpty()) {
      throw complaint.about(e, "IN needs at least one literal");
    }
    List<Object> values = new ArrayList<>();
    list.forEach(l -> values.add(literals.require(l)));
    Predicate in = new Predicate.In(columns.read(e.getLeftExpression()), values);
    return e.isNot() ? in.not() : in;
  }

  private Predicate like(LikeExpression e) {
    boolean plain = e.getLikeKeyWord() == LikeExpression.KeyWord.LIKE && !e.isUseBinary();
    Object pattern = plain ? literals.read(e.getRightExpression()).orElse(null) : null;
    Object prefix;
    if (pattern instanceof Predicate.Parameter && e.getEscape() == null) {
      prefix = pattern;
    } else if (pattern instanceof String text) {
      prefix = new LikePattern(text, escape(e)).prefix(m -> complaint.about(e, m));
    } else {
      throw complaint.about(
          e, "only LIKE with a text such as 'abc%', or a parameter without ESCAPE, is supported");
    }
    Predicate like = new Predicate.Prefix(columns.read(e.getLeftExpression()), prefix);
    return e.isNot() ? like.not() : like;
  }

  private char escape(LikeExpression e) {
    if (e.getEscape() == null) {
      return LikePattern.DEFAULT_ESCAPE;
    }
    if (literals.require(e.getEscape()) instanceof String s && s.length() == 1) {
      return s.charAt(0);
    }
    throw complaint.about(e, "ESCAPE needs one character in single quotes");
  }

  private Predicate isNull(IsNullExpression e) {
    Predicate isNull = new Predicate.IsNull(columns.read(e.getLeftExpression()));
    return e.isNot() || e.isUseNotNull() ? isNull.not() : isNull;
  }

  /** {@code a(+) = 1} and {@code PRIOR a = 1} parse as if the mark were not there. */
  private void refuseOracleSyntax(Expression e, SupportsOldOracleJoinSyntax syntax) {
    boolean join =
        syntax.getOldOracleJoinSyntax() != SupportsOldOracleJoinSyntax.NO_ORACLE_JOIN
            || syntax.getOraclePriorPosition() != SupportsOldOracleJoinSyntax.NO_ORACLE_PRIOR;
    if (join) {
      throw complaint.about(e, "joins are not supported");
    }
  }
}
