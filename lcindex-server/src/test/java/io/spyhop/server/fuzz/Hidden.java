package io.spyhop.server.fuzz;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

/** Calls static methods that are not for other packages. */
final class Hidden {
  private Hidden() {}

  /** What a decoder is called with: the input, which is the argument of class byte[]. */
  static Decoder.Call call(String reader, Object... before) {
    Method method = method(reader);
    method.setAccessible(true);
    return input -> {
      Object[] arguments = Arrays.copyOf(before, before.length + 1);
      arguments[before.length] = input;
      try {
        return method.invoke(null, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    };
  }

  /** Calls a method by name with arguments that it takes. */
  static Object invoke(String reader, Object... arguments) throws Throwable {
    String[] parts = reader.split("#", 2);
    for (Method m : Class.forName(parts[0]).getDeclaredMethods()) {
      if (m.getName().equals(parts[1]) && m.getParameterCount() == arguments.length) {
        m.setAccessible(true);
        try {
          return m.invoke(null, arguments);
        } catch (InvocationTargetException e) {
          throw e.getCause();
        }
      }
    }
    throw new IllegalArgumentException("no " + reader);
  }

  /** A new object of a class with one constructor that takes these. */
  static Object make(String name, Object... arguments) throws Throwable {
    for (Constructor<?> c : Class.forName(name).getDeclaredConstructors()) {
      if (c.getParameterCount() == arguments.length) {
        c.setAccessible(true);
        return c.newInstance(arguments);
      }
    }
    throw new IllegalArgumentException("no constructor of " + name);
  }

  /** Calls a method without arguments. */
  static Object on(Object object, String name) throws Throwable {
    Method method = object.getClass().getDeclaredMethod(name);
    method.setAccessible(true);
    try {
      return method.invoke(object);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static Method method(String reader) {
    String[] parts = reader.split("#", 2);
    try {
      return Arrays.stream(Class.forName(parts[0]).getDeclaredMethods())
          .filter(m -> m.getName().equals(parts[1]))
          .filter(m -> m.getParameterCount() > 0)
          .filter(m -> m.getParameterTypes()[m.getParameterCount() - 1] == byte[].class)
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException("no " + reader + "(..., byte[])"));
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(reader, e);
    }
  }

  /** Encodes what was read by its own method of that name. */
  static void encodeAgain(Object read) throws Throwable {
    Method encode = read.getClass().getDeclaredMethod("encode");
    encode.setAccessible(true);
    try {
      encode.invoke(read);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
