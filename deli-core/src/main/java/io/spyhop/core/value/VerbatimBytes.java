package io.spyhop.core.value;

import java.util.Arrays;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.common.base.Utf8;

/** The content and nothing else. */
enum VerbatimBytes implements BytesForm {
  /** Any bytes. */
  ANY {
    @Override
    public boolean isDecodable(byte[] b, int off, int len) {
      return true;
    }
  },

  /** Well-formed UTF-8: no overlong forms, surrogates, or code points above U+10FFFF. */
  UTF8 {
    @Override
    public boolean isDecodable(byte[] b, int off, int len) {
      return Utf8.isWellFormed(b, off, len);
    }
  };

  @Override
  public int contentLength(byte[] b, int off, int len) {
    return len;
  }

  @Override
  public byte[] content(byte[] b, int off, int len, int limit) {
    return Arrays.copyOfRange(b, off, off + Math.min(len, limit));
  }

  @Override
  public int compareContent(byte[] b, int off, int len, byte[] other) {
    return Bytes.compareTo(b, off, len, other, 0, other.length);
  }

  @Override
  public byte[] write(byte[] content) {
    return content.clone();
  }

  @Override
  public boolean isVerbatim() {
    return true;
  }
}
