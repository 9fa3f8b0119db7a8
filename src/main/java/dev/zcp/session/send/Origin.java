package dev.zcp.session.send;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.ChannelEnd;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.linux.StandardStreams;
import dev.zcp.spi.Source;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Entry;
import dev.zcp.walk.OpenFolders;
import java.io.IOException;

/// Where an outgoing entry is found. Any thread may call it.
sealed interface Origin {

  /// Its name for messages.
  Object label();

  /// What it is now; null for standard input.
  ///
  /// @throws Failure SOURCE if it is missing or may not be looked at
  FileStatus look() throws Failure;

  /// Opens it to read from, for the caller to close.
  ///
  /// @param known what it was when it was looked at, null for standard input
  /// @throws Failure SOURCE if it is missing, is another file now, or may not be read
  Source open(FileStatus known) throws Failure;

  /// In a directory that a walk came to.
  record InFolder(OpenFolders folders, Entry entry) implements Origin {

    @Override
    public Object label() {
      return entry.label();
    }

    @Override
    public FileStatus look() throws Failure {
      folders.hold(entry.folder());
      try {
        return entry.status(entry.follow());
      } finally {
        folders.release(entry.folder());
      }
    }

    @Override
    public NativeFile open(FileStatus known) throws Failure {
      NativeFile file = open();
      try {
        FileStatus now = file.status();
        if (now.isRegular() && now.isSameFile(known)) {
          return file;
        }
        file.close();
      } catch (IOException e) {
        throw Reasons.source(label(), e);
      }
      throw Failure.of(
          ExitCode.SOURCE, label().toString(), "was replaced by another file before it was sent");
    }

    private NativeFile open() throws Failure {
      folders.hold(entry.folder());
      try {
        return entry.folder().source().file(entry.name(), entry.follow());
      } catch (IOException e) {
        throw entry.failure(e);
      } finally {
        folders.release(entry.folder());
      }
    }
  }

  /// A FIFO or a device that was named: it is read to its end.
  record AtPath(RawPath path) implements Origin {

    @Override
    public Object label() {
      return path;
    }

    @Override
    public FileStatus look() throws Failure {
      try {
        return FileStatus.of(path);
      } catch (IOException e) {
        throw Reasons.source(path, e);
      }
    }

    @Override
    public Source open(FileStatus known) throws Failure {
      try {
        return ChannelEnd.openToRead(path.toPath(), known.mode());
      } catch (IOException e) {
        throw Reasons.source(path, e);
      }
    }
  }

  record In(StandardStreams streams) implements Origin {

    @Override
    public Object label() {
      return "standard input";
    }

    @Override
    public FileStatus look() {
      return null;
    }

    @Override
    public Source open(FileStatus known) throws Failure {
      try {
        return streams.source();
      } catch (IOException e) {
        throw Reasons.source(label(), e);
      }
    }
  }
}
