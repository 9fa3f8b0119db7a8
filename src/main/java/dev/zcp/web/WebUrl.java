package dev.zcp.web;

import dev.zcp.core.Address;
import dev.zcp.core.Address.Scheme;
import dev.zcp.secure.CertificateMarks;
import dev.zcp.wire.EntryPath;

/// Where a browser finds this end, and how curl does.
///
/// @param text the URL, with the key; it ends in a slash
/// @param marks of the certificate; null if nothing is encrypted
record WebUrl(String text, CertificateMarks marks) {

  /// @param key as text, or the variable of a shell that stands for one
  static WebUrl of(String host, int port, String key, CertificateMarks marks) {
    String scheme = marks == null ? "http://" : "https://";
    Address at = new Address(Scheme.UNSAID, null, host, port);
    return new WebUrl(scheme + at + "/" + key + "/", marks);
  }

  /// The line that sends a file. The certificate is not looked up anywhere: its key must be this
  /// one.
  String curlToSend() {
    return "curl --fail-with-body" + pinned() + " -T FILE " + quoted(text);
  }

  /// The line that fetches a file.
  ///
  /// @param more what follows the URL of this end, percent-encoded
  String curlToFetch(String more) {
    return "curl -fOJ" + pinned() + " " + quoted(text + more);
  }

  private String pinned() {
    return marks == null ? "" : " -k --pinnedpubkey '" + marks.pin() + "'";
  }

  /// A URL has no quote; some shells take its brackets for a pattern, and so does curl.
  private static String quoted(String url) {
    String quote = url.indexOf('$') >= 0 ? "\"" : "'";
    return (url.indexOf('[') >= 0 ? "-g " : "") + quote + url + quote;
  }

  /// The path of what is listed, from the page of `folder`.
  static String encoded(EntryPath folder) {
    StringBuilder path = new StringBuilder();
    for (byte[] name : WebName.names(folder)) {
      path.append(WebName.encoded(name)).append('/');
    }
    return path.toString();
  }
}
