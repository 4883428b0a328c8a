package io.spyhop.core.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Sums of doubles are those of exact decimals, rounded once. */
class ExactSumProperties {
  /** More digits than any quotient of a sum by a count needs to be rounded. */
  private static final MathContext DIGITS = new MathContext(1_200);

  /** Any bits, and numbers near the borders of the range and near each other. */
  @Provide
  Arbitrary<List<Double>> numbers() {
    Arbitrary<Double> bits =
        Arbitraries.longs().map(Double::longBitsToDouble).filter(Double::isFinite);
    Arbitrary<Double> tiny = Arbitraries.longs().between(0, 9).map(Double::longBitsToDouble);
    Arbitrary<Double> edges =
        Arbitraries.of(
            0.0,
            -0.0,
            Double.MIN_NORMAL,
            -Double.MIN_NORMAL,
            Double.MAX_VALUE,
            -Double.MAX_VALUE,
            1.0,
            0x1p53,
            0x1p-53,
            Math.nextUp(1.0));
    Arbitrary<Double> usual = Arbitraries.doubles().between(-1e6, 1e6);
    return Arbitraries.oneOf(bits, tiny, tiny.map(d -> -d), edges, usual).list().ofMaxSize(12);
  }

  private static ExactSum sumOf(List<Double> numbers) {
    ExactSum sum = new ExactSum();
    numbers.forEach(sum::add);
    return sum;
  }

  private static BigDecimal exact(List<Double> numbers) {
    return numbers.stream().map(BigDecimal::new).reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  /** There is no -0.0 among sums. */
  private static double nearest(BigDecimal number) {
    double nearest = number.doubleValue();
    return nearest == 0 ? number.signum() * 0.0 : nearest;
  }

  @Property(tries = 5_000)
  void roundsTheExactSum(@ForAll("numbers") List<Double> numbers) {
    assertThat(sumOf(numbers).rounded()).isEqualTo(nearest(exact(numbers)));
  }

  @Property(tries = 2_000)
  void roundsTheExactQuotient(
      @ForAll("numbers") List<Double> numbers, @ForAll("divisors") long divisor) {
    BigDecimal quotient = exact(numbers).divide(BigDecimal.valueOf(divisor), DIGITS);
    assertThat(sumOf(numbers).rounded(divisor)).isEqualTo(nearest(quotient));
  }

  @Provide
  Arbitrary<Long> divisors() {
    return Arbitraries.oneOf(
        Arbitraries.longs().between(1, 10),
        Arbitraries.longs().between(1, Long.MAX_VALUE),
        Arbitraries.integers().between(0, 62).map(i -> 1L << i));
  }

  @Property(tries = 2_000)
  void addsPartsOfASum(
      @ForAll("numbers") List<Double> some, @ForAll("numbers") List<Double> others) {
    ExactSum sum = sumOf(some);
    sum.addUnits(sumOf(others).units());
    ExactSum all = sumOf(some);
    others.forEach(all::add);
    assertThat(sum.units()).isEqualTo(all.units());
    assertThat(sum.rounded()).isEqualTo(all.rounded());
  }

  @Example
  void forgetsNothingOfWhatGoesAway() {
    ExactSum sum = sumOf(List.of(1e300, 1e-300, -1e300));
    assertThat(sum.rounded()).isEqualTo(1e-300);
  }

  @Example
  void isInfiniteBeyondTheGreatest() {
    List<Double> twice = List.of(Double.MAX_VALUE, Double.MAX_VALUE);
    assertThat(sumOf(twice).rounded()).isInfinite();
    assertThat(sumOf(twice).rounded(2)).isEqualTo(Double.MAX_VALUE);
  }
}
