package io.spyhop.cli.output;

import io.spyhop.bench.Progress;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Progress bars on standard error, if a person watches; otherwise none. */
public final class Bars implements Progress.Factory {
  private static final int UPDATE_MILLIS = 200;

  private final Progress.Factory chosen;

  /** Bars for this process. */
  public Bars() {
    chosen = System.console() == null ? Progress.NONE : Bar::new;
  }

  @Override
  public Progress start(String task, long total) {
    return chosen.start(task, total);
  }

  private static final class Bar implements Progress {
    private final ProgressBar bar;

    Bar(String task, long total) {
      bar =
          new ProgressBarBuilder()
              .setTaskName(task)
              .setInitialMax(total)
              .setStyle(ProgressBarStyle.ASCII)
              .setUpdateIntervalMillis(UPDATE_MILLIS)
              .setConsumer(new ConsoleProgressBarConsumer(StandardError.stream()))
              .clearDisplayOnFinish()
              .build();
    }

    @Override
    public void step(long units) {
      bar.stepBy(units);
    }

    @Override
    public void close() {
      bar.close();
    }
  }
}
