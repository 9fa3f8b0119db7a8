package dev.zcp.tree;

import dev.zcp.linux.FileStatus;

/// What a file has that was just made in a directory. It is the same for all that one process makes
/// there with one mode, so the first is asked and the others are spared the calls.
///
/// @param owner `st_uid`
/// @param group `st_gid`: the process's or, as where the directory has setgid, the directory's
/// @param mode its bits with setuid, setgid and sticky
/// @param inheritsList whether it may have got an access control list from the directory: acl(5)
record NewFileDefaults(int owner, int group, int mode, boolean inheritsList) {

  static NewFileDefaults of(FileStatus status, boolean inheritsList) {
    return new NewFileDefaults(status.owner(), status.group(), status.wholeMode(), inheritsList);
  }
}
