package io.spyhop.server.seal;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.security.Key;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.io.crypto.Cipher;
import org.apache.hadoop.hbase.io.crypto.Encryption;
import org.apache.hadoop.hbase.security.EncryptionUtil;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Bytes in an envelope that is encrypted as HBase encrypts the family's HFiles ({@code
 * docs/formats/sfile.md}): by the family's key, which is in the envelope, wrapped by the cluster's
 * master key. Stateless.
 */
public final class Sealed {
  private static final int MAGIC = 0x53505345; // SPSE
  private static final int VERSION = 1;

  private record Envelope(byte[] wrappedKey, byte[] iv, int length, byte[] encrypted) {}

  private Sealed() {}

  /** The bytes as they may be written for a family: as they are if it is not encrypted. */
  public static byte[] seal(byte[] plain, Configuration conf, ColumnFamilyDescriptor family)
      throws IOException {
    Encryption.Context context = EncryptionUtil.createEncryptionContext(conf, family);
    if (context == Encryption.Context.NONE) {
      return plain;
    }
    byte[] wrapped = EncryptionUtil.wrapKey(conf, masterKey(conf), context.getKey());
    byte[] iv = new byte[context.getCipher().getIvLength()];
    Bytes.secureRandom(iv);
    ByteArrayOutputStream encrypted = new ByteArrayOutputStream();
    Encryption.encrypt(encrypted, plain, 0, plain.length, context, iv);
    return Frame.encode(
        MAGIC,
        VERSION,
        out -> {
          Frame.writeBytes(out, wrapped);
          Frame.writeBytes(out, iv);
          out.writeInt(plain.length);
          Frame.writeBytes(out, encrypted.toByteArray());
        });
  }

  private static String masterKey(Configuration conf) throws IOException {
    return conf.get(HConstants.CRYPTO_MASTERKEY_NAME_CONF_KEY, User.getCurrent().getShortName());
  }

  /**
   * The bytes that were sealed; bytes without an envelope as they are.
   *
   * @throws UndecryptableException if the envelope is whole and the key cannot be used
   * @throws CorruptFrameException if the envelope is damaged
   * @throws IOException if the key cannot be had
   */
  public static byte[] open(byte[] bytes, Configuration conf) throws IOException {
    if (bytes.length < Integer.BYTES || Bytes.toInt(bytes) != MAGIC) {
      return bytes;
    }
    Envelope e = Frame.decode("sealed file", MAGIC, VERSION, bytes, Sealed::read);
    try {
      return decrypt(e, conf);
    } catch (RuntimeException failure) {
      // HBase reports keys and vectors that it does not like as any programming error.
      throw new UndecryptableException(failure);
    }
  }

  private static byte[] decrypt(Envelope e, Configuration conf) throws IOException {
    Key key = EncryptionUtil.unwrapKey(conf, e.wrappedKey);
    Cipher cipher = Encryption.getCipher(conf, key.getAlgorithm());
    if (cipher == null) {
      throw new IOException("cipher '" + key.getAlgorithm() + "' is not available");
    }
    Encryption.Context context = Encryption.newContext(conf);
    context.setCipher(cipher);
    context.setKey(key);
    byte[] plain = new byte[e.length];
    Encryption.decrypt(
        plain, 0, new ByteArrayInputStream(e.encrypted), plain.length, context, e.iv);
    return plain;
  }

  private static Envelope read(DataInputStream in) throws IOException {
    byte[] wrapped = Frame.readBytes(in);
    byte[] iv = Frame.readBytes(in);
    int length = in.readInt();
    byte[] encrypted = Frame.readBytes(in);
    if (length < 0 || length > encrypted.length) {
      throw new CorruptFrameException(length + " of " + encrypted.length + " bytes");
    }
    return new Envelope(wrapped, iv, length, encrypted);
  }
}
