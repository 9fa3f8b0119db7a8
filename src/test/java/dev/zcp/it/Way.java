package dev.zcp.it;

/// Which ends of a copy are on another machine: `box` gives, and `far` takes from it.
enum Way {
  HERE,
  THERE,
  FROM_THERE,
  BETWEEN,
  RELAYED;

  String source(Object path) {
    return this == HERE || this == THERE ? path.toString() : "box:" + path;
  }

  String target(Object path) {
    return switch (this) {
      case HERE, FROM_THERE -> path.toString();
      case THERE -> "box:" + path;
      case BETWEEN, RELAYED -> "far:" + path;
    };
  }
}
