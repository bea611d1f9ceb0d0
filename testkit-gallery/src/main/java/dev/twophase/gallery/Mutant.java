package dev.twophase.gallery;

import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.Verdict;
import java.util.Set;
import java.util.function.Function;

/**
 * A broken sink: one small change to a correct one.
 *
 * @param number in the list of mutants
 * @param bug what is wrong with it
 * @param twin the correct sink it was made from
 * @param factory makes it
 * @param verdicts the ones that are right, any of them
 * @param rules the protocol rules of which one must be named as broken
 * @param faults most faults it takes to refute it
 */
public record Mutant(
    int number,
    String bug,
    GallerySink twin,
    Function<SinkSetup, Object> factory,
    Set<Verdict> verdicts,
    Set<String> rules,
    int faults) {

  /** The broken sink, claiming what its twin claims. */
  public GallerySink sink() {
    return new GallerySink(bug, factory, twin.claims(), twin.reader(), twin.toleratesNeighbours());
  }

  @Override
  public String toString() {
    return number + " " + bug;
  }
}
