package io.spyhop.server.index.local.directory;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.security.Principal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rights to a directory on a local disk, by the owners and modes of the directory and of all
 * above it (docs/decisions/0031). Stateless, thread-safe.
 */
class LocalRights implements DirectoryRights {
  private static final Logger LOG = LoggerFactory.getLogger(LocalRights.class);
  private static final String VIEW = "unix";
  private static final long ROOT_USER = 0;
  private static final int MAX_LINKS = 40;
  private static final int TYPE = 0170000;
  private static final int LINK = 0120000;
  private static final int DIRECTORY = 0040000;
  private static final int STICKY = 01000;
  private static final int WRITE_OF_GROUP = 020;
  private static final int WRITE_OF_OTHERS = 02;
  private static final int RIGHTS_OF_OTHERS = 077;

  private final Path root;
  private final Optional<Path> chosen;
  private final UnixSystem process = new UnixSystem();

  /**
   * @param root the server's directory, which may not be there yet
   * @param chosen the directory above it, if it was not set: then no other user may write above it.
   *     Above a directory that was set it is warned of
   */
  LocalRights(Path root, Optional<Path> chosen) {
    this.root = root;
    this.chosen = chosen;
  }

  /** A file's owner and mode; a link is not followed. */
  record Entry(long uid, String owner, String group, int mode) {
    boolean isLink() {
      return (mode & TYPE) == LINK;
    }

    boolean isDirectory() {
      return (mode & TYPE) == DIRECTORY;
    }

    boolean isOpen() {
      return (mode & (WRITE_OF_GROUP | WRITE_OF_OTHERS)) != 0;
    }

    /** Others can rename and delete what is in it, which they do not own. */
    boolean isOthers() {
      boolean openToGroup = (mode & WRITE_OF_GROUP) != 0 && !group.equals(owner);
      boolean open = openToGroup || (mode & WRITE_OF_OTHERS) != 0;
      return open && (mode & STICKY) == 0;
    }
  }

  @Override
  public void require() throws IOException {
    if (!FileSystems.getDefault().supportedFileAttributeViews().contains(VIEW)) {
      throw refused("this system has no owners and modes of files");
    }
    Deque<Path> rest = new ArrayDeque<>();
    root.forEach(rest::add);
    Path at = root.getRoot();
    requireSafe(at, false);
    for (int links = 0; !rest.isEmpty(); ) {
      Path next = at.resolve(rest.pop()).normalize();
      if (!Files.exists(next, LinkOption.NOFOLLOW_LINKS)) {
        return;
      }
      boolean own = rest.isEmpty() && !Files.isSymbolicLink(next);
      if (!requireSafe(next, own).isLink()) {
        at = next;
        continue;
      }
      if (++links > MAX_LINKS) {
        throw refused(root + " has too many links in it");
      }
      Path target = Files.readSymbolicLink(next);
      at = target.isAbsolute() ? target.getRoot() : at;
      pushAll(rest, target);
    }
    requireOwn(at);
  }

  private static void pushAll(Deque<Path> rest, Path names) {
    for (int i = names.getNameCount() - 1; i >= 0; i--) {
      rest.push(names.getName(i));
    }
  }

  /** Of a directory on the way, or a link there. */
  private Entry requireSafe(Path path, boolean own) throws IOException {
    Entry e = look(path);
    boolean foreign = e.uid() != ROOT_USER && e.uid() != process.getUid();
    if (foreign && (e.isLink() || own)) {
      throw refused(path + " belongs to " + e.owner());
    }
    if (e.isLink()) {
      return e;
    }
    if (!e.isDirectory()) {
      throw refused(path + " is no directory");
    }
    if (foreign) {
      doubt(path + " belongs to " + e.owner());
    }
    if (chosen.isPresent() && e.isOpen() && !own) {
      throw refused(
          String.format(
              "%s is not set, and its default %s lies in %s, where others may write (mode %04o)",
              ServerDirectory.ROOT, chosen.get(), path, e.mode() & ~TYPE));
    }
    if (e.isOthers() && !own) {
      doubt(
          String.format(
              "others may write in %s (mode %04o, group %s), which has no sticky bit",
              path, e.mode() & ~TYPE, e.group()));
    }
    return e;
  }

  private void doubt(String why) throws IOException {
    if (chosen.isPresent()) {
      throw refused(why);
    }
    warn(why);
  }

  /** Warns, where the directory was set. */
  void warn(String why) {
    LOG.warn(
        "Index files are kept in {} though {}: who may write there can put another directory in its"
            + " place; set {} to one above which nobody else may write",
        root,
        why,
        ServerDirectory.ROOT);
  }

  private Entry requireOwn(Path path) throws IOException {
    Entry e = look(path);
    if (e.uid() != process.getUid()) {
      throw refused(path + " belongs to " + e.owner());
    }
    return e;
  }

  private IOException refused(String why) {
    String user = process.getUsername();
    return new IOException(
        "cannot keep index files in "
            + root
            + ": "
            + why
            + ": set "
            + ServerDirectory.ROOT
            + " to a directory of the user "
            + user
            + " in which, and above which, nobody else may write");
  }

  @Override
  public void tighten() throws IOException {
    Path real = root.toRealPath();
    Files.walkFileTree(
        real,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path d, BasicFileAttributes a)
              throws IOException {
            return tighten(d, PrivateFileSystem.DIRECTORY);
          }

          @Override
          public FileVisitResult visitFile(Path f, BasicFileAttributes a) throws IOException {
            return tighten(f, PrivateFileSystem.FILE);
          }
        });
    if ((look(real).mode() & RIGHTS_OF_OTHERS) != 0) {
      doubt("its file system does not keep modes");
    }
  }

  private FileVisitResult tighten(Path path, Set<PosixFilePermission> rights) throws IOException {
    Entry e = requireOwn(path);
    if (!e.isLink() && (e.mode() & RIGHTS_OF_OTHERS) != 0) {
      Files.setPosixFilePermissions(path, rights);
    }
    return FileVisitResult.CONTINUE;
  }

  /** Looks at a file, and not at what it is a link to. */
  Entry look(Path path) throws IOException {
    Map<String, Object> all =
        Files.readAttributes(path, VIEW + ":uid,mode,owner,group", LinkOption.NOFOLLOW_LINKS);
    return new Entry(
        Integer.toUnsignedLong((Integer) all.get("uid")),
        ((Principal) all.get("owner")).getName(),
        ((Principal) all.get("group")).getName(),
        (Integer) all.get("mode"));
  }
}
