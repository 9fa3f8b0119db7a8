package dev.zcp.linux;

import java.io.FileDescriptor;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.nio.channels.Channel;

/// The numbers behind Java's channels, which Java itself gives to nobody.
///
/// Read by reflection, which the launcher allows with `--add-opens java.base/sun.nio.ch` and
/// `java.base/java.io`. Without these flags there are no numbers, and strategies that need one say
/// so.
final class Descriptors {

  static final int NONE = -1;

  private Descriptors() {}

  /// Whether the numbers can be had. Asked for every end, so it must not cost what reading one
  /// does: the first reflection on a field takes a cold process 12 ms.
  static boolean available() {
    Module base = Object.class.getModule();
    Module own = Descriptors.class.getModule();
    return base.isOpen("sun.nio.ch", own) && base.isOpen("java.io", own);
  }

  /// The descriptor of an open file or socket channel, or [#NONE] where it cannot be known.
  static int of(Channel channel) {
    try {
      // FileChannelImpl and SocketChannelImpl both keep theirs in a field of this name.
      Field field = channel.getClass().getDeclaredField("fd");
      field.setAccessible(true);
      return of((FileDescriptor) field.get(channel));
    } catch (NoSuchFieldException | IllegalAccessException | InaccessibleObjectException e) {
      return NONE;
    }
  }

  /// The number that `descriptor` holds, or [#NONE] where it cannot be known.
  static int of(FileDescriptor descriptor) {
    try {
      Field field = FileDescriptor.class.getDeclaredField("fd");
      field.setAccessible(true);
      return field.getInt(descriptor);
    } catch (NoSuchFieldException | IllegalAccessException | InaccessibleObjectException e) {
      return NONE;
    }
  }
}
