package dev.twophase.testkit;

import dev.twophase.testkit.internal.junit.ScheduleExtension;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that runs single schedules and keeps their verdict: what an exploration once found stays
 * found. It works in a class that extends {@link ExactlyOnceSinkContract} or has an {@link
 * ExactlyOnceExtension}. The method may take the {@link Judgement} as its parameter, and its body
 * runs after the verdict has been checked; it is usually empty.
 *
 * <pre>{@code
 * @ScheduleTest("2pk/1 p=1; s0.in 1; s0.bar 1; done 1; s0.ntf 1 !commit#1=A; settle")
 * void aLostReplyIsNoSecondCommit() {}
 * }</pre>
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(ScheduleExtension.class)
public @interface ScheduleTest {

  /** The schedules, in their one-line form. */
  String[] value();

  /**
   * The verdict that each must get; PASS takes DETECTED as well, which is legal where it is told.
   */
  Verdict expect() default Verdict.PASS;
}
