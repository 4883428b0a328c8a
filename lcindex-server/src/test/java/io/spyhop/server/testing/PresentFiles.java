package io.spyhop.server.testing;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** The files below a directory of servers that run, which may delete any of them meanwhile. */
public final class PresentFiles {
  private PresentFiles() {}

  /**
   * The files, without directories, that are there when it comes to them; none if the directory is
   * not there.
   */
  public static List<Path> below(Path directory) throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(directory, new Present(files));
    return files;
  }

  private static final class Present extends SimpleFileVisitor<Path> {
    private final List<Path> files;

    Present(List<Path> files) {
      this.files = files;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      files.add(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      return passIfGone(e);
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException e) throws IOException {
      return e == null ? FileVisitResult.CONTINUE : passIfGone(e);
    }

    private static FileVisitResult passIfGone(IOException e) throws IOException {
      if (e instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }
  }
}
