package dev.zcp.spi;

/// What one round of a strategy costs when a file goes to a socket, in theory: the switches between
/// user and kernel mode, and the copies that the processor makes.
///
/// @param modeSwitches switches into the kernel and back for one chunk
/// @param userKernelCopies copies between user and kernel memory
/// @param kernelKernelCopies copies inside the kernel; with gather DMA sendfile has none
public record Model(int modeSwitches, int userKernelCopies, int kernelKernelCopies) {

  /// All copies made by the processor.
  public int copies() {
    return userKernelCopies + kernelKernelCopies;
  }
}
