package io.spyhop.server.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.log4j.Logger;
import org.apache.log4j.SimpleLayout;
import org.apache.log4j.WriterAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Failures of every region, all the time, do not fill the log. */
class ComplaintsTest {
  private static final String NAME = "complaints";

  private final AtomicLong now = new AtomicLong();
  private final Complaints complaints = new Complaints(now::get);
  private final StringWriter written = new StringWriter();
  private final WriterAppender appender = new WriterAppender(new SimpleLayout(), written);

  @BeforeEach
  void listen() {
    Logger.getLogger(NAME).addAppender(appender);
  }

  @AfterEach
  void stopListening() {
    Logger.getLogger(NAME).removeAppender(appender);
  }

  private void fail(String table, String region, Throwable why) {
    complaints.warn(LoggerFactory.getLogger(NAME), "Building", table, region, why);
  }

  private List<String> lines() {
    return written.toString().lines().toList();
  }

  @Test
  void aCauseIsToldOnceAMinuteWithItsCount() {
    for (int second = 0; second < 120; second++) {
      for (int region = 0; region < 1000; region++) {
        fail("t", "r" + region, new IOException("region r" + region + " is away"));
      }
      now.addAndGet(TimeUnit.SECONDS.toNanos(1));
    }
    assertThat(lines()).hasSize(2);
    assertThat(lines().get(0))
        .contains("Building of t failed")
        .contains("at r0")
        .contains(" 0 times");
    assertThat(lines().get(1)).contains(" 59999 times");
  }

  @Test
  void othersAreToldAtOnceAndTheUnforeseenWithAStack() {
    fail("t", "r", new IOException("away"));
    fail("u", "r", new IOException("away"));
    fail("t", "r", new IOException("outer", new InterruptedException("inner")));
    assertThat(lines()).hasSize(3);
    assertThat(lines().get(2)).contains("inner");
    fail("t", "r", new IllegalStateException("a defect"));
    assertThat(written.toString()).contains("\tat io.spyhop.server.runtime.ComplaintsTest");
  }

  @Test
  void whatFollowsIsToldThoughSomethingElseFollowedBefore() {
    fail("t", "r", new IOException("away"));
    complaints.warn(
        LoggerFactory.getLogger(NAME),
        "Building",
        "it is given up",
        "t",
        "r",
        new IOException("a"));
    assertThat(lines()).hasSize(2);
    assertThat(lines().get(0)).contains("it is tried again");
    assertThat(lines().get(1)).contains("it is given up");
  }

  @Test
  void memoryIsBounded() {
    for (int i = 0; i < 5_000; i++) {
      fail("t" + i, "r", new IOException("away"));
    }
    fail("t4999", "r", new IOException("away"));
    assertThat(lines()).hasSize(5_000);
  }
}
