package io.spyhop.cli.lines;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * A class file: its class, and others that it names. Immutable.
 *
 * @param name with slashes, as all names here
 * @param access of the class
 * @param supers its superclass, if it has one, and its interfaces
 * @param members the access of each field and method
 * @param uses the fields and methods that its code names
 * @param classes that it names
 */
record ClassShape(
    String name,
    int access,
    List<String> supers,
    Map<Member, Integer> members,
    Set<Use> uses,
    Set<String> classes) {
  private static final int CLASS = 7;
  private static final int FIELD = 9;
  private static final int INTERFACE_METHOD = 11;

  /** A field or method by name and descriptor. */
  record Member(String name, String descriptor) {
    boolean isMethod() {
      return descriptor.startsWith("(");
    }
  }

  /** A member as code names it: of a class that has it, perhaps from one above. */
  record Use(String owner, Member member) {}

  /** Reads a class file. */
  static ClassShape read(URL file) {
    try (InputStream in = file.openStream()) {
      return of(new ClassReader(in));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  private static ClassShape of(ClassReader file) {
    List<String> supers = new ArrayList<>();
    if (file.getSuperName() != null) {
      supers.add(file.getSuperName());
    }
    supers.addAll(List.of(file.getInterfaces()));
    Set<Use> uses = new HashSet<>();
    Set<String> classes = new HashSet<>();
    readPool(file, uses, classes);
    return new ClassShape(
        file.getClassName(), file.getAccess(), supers, members(file), uses, classes);
  }

  private static Map<Member, Integer> members(ClassReader file) {
    Map<Member, Integer> members = new HashMap<>();
    file.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public FieldVisitor visitField(
              int access, String name, String descriptor, String signature, Object value) {
            members.put(new Member(name, descriptor), access);
            return null;
          }

          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            members.put(new Member(name, descriptor), access);
            return null;
          }
        },
        ClassReader.SKIP_CODE);
    return members;
  }

  /** The constant pool names all that code uses. */
  private static void readPool(ClassReader file, Set<Use> uses, Set<String> classes) {
    char[] buffer = new char[file.getMaxStringLength()];
    for (int i = 1; i < file.getItemCount(); i++) {
      int at = file.getItem(i);
      int tag = at == 0 ? 0 : file.readByte(at - 1);
      if (tag == CLASS) {
        classes.add(file.readUTF8(at, buffer));
      } else if (tag >= FIELD && tag <= INTERFACE_METHOD) {
        int member = file.getItem(file.readUnsignedShort(at + 2));
        uses.add(
            new Use(
                file.readClass(at, buffer),
                new Member(file.readUTF8(member, buffer), file.readUTF8(member + 2, buffer))));
      }
    }
  }
}
