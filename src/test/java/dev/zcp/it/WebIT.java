package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.testing.Programs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files come from curl and go to curl, and whoever knows no key, or has strange wishes, gets
/// nothing and leaves nothing.
class WebIT extends Scenes {

  /// `serve` starts zcp in the background; `url` is what it printed. `over` ends it. `curl` says
  /// nothing but the answer; `code` says how it ended, and the status if there was one.
  private static final String SHELL =
      """
      serve() {
        rm -f url said
        "$ZCP" "$@" --listen=127.0.0.1:0 > url 2> said &
        zcp=$!
        for i in $(seq 600); do test -s url && break; sleep 0.1; done
        url=$(head -n 1 url)
        pin=$(sed -n "s/.*--pinnedpubkey '\\(.*\\)' -.*/\\1/p; s/.*--pinnedpubkey '\\(.*\\)' '.*/\\1/p" said | head -n 1)
      }
      over() { { kill $zcp; wait $zcp; } 2> /dev/null; }
      curl() { command curl -sS -k ${pin:+--pinnedpubkey "$pin"} "$@"; }
      code() { curl -o answer -w '%{http_code}\\n' "$@" || echo "curl: $?"; }
      mkdir in
      """;

  private byte[] large;

  @BeforeEach
  void makeFiles() throws IOException {
    Programs.assume("curl");
    large = new byte[3_000_017];
    new Random(7).nextBytes(large);
    Files.write(folder.resolve("large"), large);
    Files.writeString(folder.resolve("small"), "small\n");
  }

  private List<String> said() throws IOException {
    return Files.readAllLines(folder.resolve("said"));
  }

  private List<String> arrived() throws IOException {
    Path in = folder.resolve("in");
    while (true) {
      try (Stream<Path> files = Files.walk(in)) {
        return files
            .filter(file -> !file.equals(in))
            .map(file -> in.relativize(file).toString())
            .sorted()
            .toList();
      } catch (UncheckedIOException e) {
        // One went while they were listed.
      }
    }
  }

  // --- What comes

  @ParameterizedTest
  @ValueSource(strings = {"", "--tls"})
  void curlSendsAFileAndTheReportHasIt(String how) throws Exception {
    String sha256 = Programs.run("sha256sum", folder.resolve("large").toString()).split(" ")[0];
    assertSays(
        "large: 3000017 bytes, SHA-256 " + sha256 + "\n",
        SHELL
            + "serve receive --web --once --report=table "
            + how
            + " in; curl -T large $url; wait $zcp");
    assertThat(folder.resolve("in/large")).hasBinaryContent(large);
    assertThat(said())
        .anyMatch(line -> line.matches("20.*Z 127.0.0.1 received 1 file, 2.86 MiB.*"));
    assertThat(String.join("\n", said())).contains("receive").contains("publish");
  }

  @Test
  void theLineThatIsPrintedWorksAsItIs() throws Exception {
    String text =
        """
        serve receive --web --tls --once in
        line=$(sed -n 's/^on this machine: //p' said)
        echo "$line" | sed 's/FILE/small/' | sh
        wait $zcp
        """;
    assertThat(script(SHELL + text)).contains("small: 6 bytes, SHA-256 ");
    assertThat(arrived()).containsExactly("small");
  }

  @Test
  void anotherCertificateGetsNothing() throws Exception {
    String text =
        """
        serve receive --web --tls in
        pin=sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
        curl -T small $url 2> /dev/null; echo $?; over
        """;
    assertSays("90\n", SHELL + text);
    assertThat(arrived()).isEmpty();
  }

  @Test
  void whatExistsIsKeptUnlessItMayBeReplaced() throws Exception {
    String text =
        """
        echo old > in/small; mkdir in/large
        serve receive --web in; code -T small $url; cat answer; code -T large $url; cat answer; over
        cat in/small
        serve receive --web --overwrite in; code -T small $url; code -T large $url; cat answer; over
        cat in/small
        """;
    assertSays(
        """
        409
        zcp: small: already exists (it is kept; 'zcp receive --web --overwrite' replaces it)
        409
        zcp: large: is a directory
        old
        201
        409
        zcp: large: is a directory
        small
        """,
        SHELL + text);
    assertThat(arrived()).containsExactly("large", "small");
  }

  @Test
  void directoriesAreMadeAndLinksAreNotFollowed() throws Exception {
    String text =
        """
        mkdir out; ln -s ../out in/link
        serve receive --web in
        code -T small ${url}a/b/c; code -T small ${url}a/b/d; code -T small ${url}link/x; cat answer
        over; ls out
        """;
    assertSays(
        "201\n201\n409\nzcp: link: is not a directory, but what link/x is in is\n", SHELL + text);
    assertThat(arrived()).containsExactly("a", "a/b", "a/b/c", "a/b/d", "link");
  }

  @ParameterizedTest
  @CsvSource({
    "../up, the name is ..",
    "%2e%2e/up, the name is ..",
    "a/%2E/b, the name is .",
    "a%2fb, the name holds a slash",
    "a%00b, the name holds a NUL byte",
    "a//b, the name is empty",
    "%zz, a % without two digits",
    ".zcp-0123456789abcdef.part, names with .zcp- are zcp's own partial files",
  })
  void namesThatLeadElsewhereAreRefused(String name, String why) throws Exception {
    String text = "serve receive --web in; code --path-as-is -T small ${url}%s; cat answer; over";
    String answer = script(SHELL + text.formatted(name));
    // The server refuses what is no URL itself.
    assertThat(answer).startsWith("400\n").containsAnyOf(why, "URISyntaxException");
    assertThat(arrived()).isEmpty();
    assertThat(folder.resolve("up")).doesNotExist();
  }

  @Test
  void aNameThatIsTooLongIsRefused() throws Exception {
    namesThatLeadElsewhereAreRefused("x".repeat(256), "the name is longer than 255 bytes: 256");
  }

  @Test
  void namesOfAnyBytesComeAndGoAsTheyAre() throws Exception {
    // All bytes of a name but NUL and the slash, in names of 50.
    StringBuilder script = new StringBuilder(SHELL + "mkdir from got\n");
    List<byte[]> names = new ArrayList<>();
    for (int first = 1; first < 256; first += 50) {
      byte[] name = new byte[Math.min(50, 256 - first)];
      for (int i = 0; i < name.length; i++) {
        name[i] = (byte) (first + i == '/' ? '_' : first + i);
      }
      names.add(name);
      script.append("printf x > \"from/$(printf '").append(octal(name)).append("')\"\n");
    }
    script.append("serve receive --web in\n");
    for (byte[] name : names) {
      script.append("code -T small '").append("'${url}").append(percent(name)).append('\n');
    }
    script.append("over; ls -b in | wc -l; serve send --web --once in\n");
    script.append(
        "for each in $(curl ${url}in/ | sed -n 's|.*href=\"\\./\\([^\"]*\\)\".*|\\1|p')\n");
    script.append("do (cd got; curl -OJ ${url}in/$each); done\n");
    script.append(
        "wait $zcp; ls -b got | wc -l; ls -b from > a; ls -b in > b; cmp a b; cat got/* | sort"
            + " -u\n");
    assertThat(script(script.toString())).endsWith("6\n6\nsmall\n").startsWith("201\n".repeat(6));
  }

  private static String octal(byte[] name) {
    StringBuilder text = new StringBuilder();
    for (byte b : name) {
      text.append("\\%03o".formatted(b & 0xff));
    }
    return text.toString();
  }

  private static String percent(byte[] name) {
    StringBuilder text = new StringBuilder();
    for (byte b : name) {
      text.append("%%%02X".formatted(b & 0xff));
    }
    return text.toString();
  }

  @Test
  void limitsHoldForAllVisitsTogether() throws Exception {
    String text =
        """
        serve receive --web --max-size=13 --max-files=3 in
        code -T large $url; cat answer
        cat large | code -T - ${url}unsaid; cat answer
        code -T small $url; code -T small $url; cat answer; sleep 3
        code -T small ${url}d/other; code -T small ${url}more; cat answer
        echo -n 1 > 1; code -T 1 ${url}1; cat answer
        over
        """;
    assertSays(
        """
        507
        zcp: large: is too large (--max-size allows 13 B in all, 13 B left)
        507
        zcp: unsaid: is too large (--max-size allows 13 B in all, 13 B left)
        201
        409
        zcp: small: already exists (it is kept; 'zcp receive --web --overwrite' replaces it)
        201
        507
        zcp: more: is one entry too many (--max-files allows 3 in all, 0 left)
        507
        zcp: 1: is one entry too many (--max-files allows 3 in all, 0 left)
        """,
        SHELL + text);
    assertThat(arrived()).containsExactly("d", "d/other", "small");
  }

  @Test
  void aDigestThatIsToldIsChecked() throws Exception {
    String text =
        """
        serve receive --web --once in
        digest=$(sha256sum small | cut -c 1-64 | xxd -r -p | base64)
        code -H "Repr-Digest: sha-256=:$digest:" -T large $url; cat answer
        code -H "Repr-Digest: sha-256=:$digest:" -T small $url
        code -H "Content-Digest: sha-256=:AAAA:" -T small ${url}c; cat answer
        wait $zcp; grep -c 'verified: ' said
        """;
    Programs.assume("xxd");
    assertThat(script(SHELL + text))
        .isEqualTo(
            """
            400
            zcp: large: its SHA-256 differs from that of the request (nothing of it is kept)
            201
            400
            zcp: Content-Digest: holds no SHA-256 in base64 between colons
            1
            """);
    assertThat(arrived()).containsExactly("small");
  }

  @Test
  void whatIsNoWholeFileIsRefused() throws Exception {
    String text =
        """
        serve receive --web in
        code -H 'Content-Range: bytes 1-5/6' -T small $url; cat answer
        code -H 'Content-Encoding: gzip' -T small $url; cat answer
        code -X DELETE ${url}small; cat answer
        code ${url}small; cat answer
        code -d x $url; cat answer
        code -0 -T small $url
        over
        """;
    assertSays(
        """
        400
        zcp: a part of a file cannot be sent: send the whole file
        415
        zcp: files are taken as they are, without encoding
        405
        zcp: only GET, HEAD, POST and PUT are known
        404
        zcp: files can only be sent here
        415
        zcp: POST takes a form with files; use PUT for one
        201
        """,
        SHELL + text);
    assertThat(arrived()).containsExactly("small");
  }

  @Test
  void aFormBringsFilesAndFoldersAndOneThatFailsLeavesTheOthersAlone() throws Exception {
    String text =
        """
        serve receive --web in
        code -F 'file=@large' -F 'file=@small;filename=a/b/s' -F 'file=@small;filename=../up' \\
            -F 'file=@small;filename=<script>alert(1)</script>' -F 'note=no file' \\
            -F 'file=@small;filename=large' $url
        cat answer; code -H 'Accept: text/html' -F 'file=@small;filename=<b>&' $url
        grep -c '<b>' answer; grep -o '&lt;b&gt;&amp;' answer; over
        """;
    assertThat(script(SHELL + text))
        .startsWith("409\nlarge: 3000017 bytes, SHA-256 ")
        .contains("\na/b/s: 6 bytes,", "\nzcp: ../up: the name is ..\n", "\nzcp: large: already ")
        .endsWith("\n201\n0\n&lt;b&gt;&amp;\n");
    assertThat(folder.resolve("in/large")).hasBinaryContent(large);
    assertThat(arrived())
        .contains("<b>&", "<script>alert(1)<", "a/b/s", "large")
        .noneMatch(name -> name.contains("zcp"));
  }

  @Test
  void aFormWithANameThatIsRefusedIsNoSuccess() throws Exception {
    String text =
        """
        serve receive --web --once in
        code -F 'file=@small;filename=' $url
        code -F 'file=@small' -F 'file=@small;filename=../up' $url; wait $zcp; echo $?; cat said
        """;
    assertThat(script(SHELL + text))
        .startsWith("400\n400\n1\n")
        .contains("zcp: the name is empty\n", "zcp: ../up: the name is ..\n", "2 entries failed");
  }

  /// The answer was 409, as if the name existed.
  @Test
  void aFormThatThereIsNoRoomForIsAnsweredAsOneFileIs() throws Exception {
    String text =
        """
        serve receive --web --max-size=13 in
        code -T large $url; code -F 'file=@small' -F 'file=@large' -F 'file=@small' $url; over
        """;
    assertSays("507\n507\n", SHELL + text);
    assertThat(arrived()).containsExactly("small");
  }

  @Test
  void whatIsExpectedAndNotKnownIsRefused() throws Exception {
    String text =
        """
        serve receive --web in
        code -H 'Expect: foo' -T small $url; cat answer; code -H 'Expect: 100-Continue' -T small $url
        over
        """;
    assertSays("417\nzcp: only Expect: 100-continue is known\n201\n", SHELL + text);
  }

  @Test
  void noRequestFollowsOneThatIsRefusedAsBad() throws Exception {
    String text =
        """
        serve receive --web in
        curl -i -T small ${url}.zcp-x | grep -c '^Connection: close'
        curl -i -T small ${url} | grep -c '^Connection: close'; over
        """;
    assertSays("1\n0\n", SHELL + text);
  }

  /// The connection broke without a word.
  @Test
  void aDirectoryThatMayNotBeReadIsToldOf() throws Exception {
    String text =
        """
        mkdir shut; chmod 300 shut
        serve send --web shut
        code ${url}shut/; cat answer
        over
        """;
    assertSaysToNobody("404\nzcp: shut: permission denied\n", SHELL + text);
  }

  @Test
  void aFormThatEndsBetweenTwoFilesIsNoSuccess() throws Exception {
    Files.createDirectory(folder.resolve("in"));
    try (BuiltZcp receiver = receive("--once")) {
      URI url = URI.create(receiver.firstLine());
      try (Socket socket = connect(url)) {
        send(
            socket,
            "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n"
                    .formatted(url.getPath())
                + "Content-Length: 1000\r\n\r\n--b\r\n"
                + "Content-Disposition: form-data; filename=\"whole\"\r\n\r\nx\r\n--b\r\nContent");
        socket.shutdownOutput();
        assertThat(readAll(socket))
            .startsWith("HTTP/1.1 400 ")
            .contains("zcp: the form did not come to its end");
      }
      BuiltZcp.Ended ended = receiver.end();
      assertThat(ended.exitCode()).isEqualTo(ExitCode.NETWORK.number());
      assertThat(ended.err()).contains("the form ");
    }
    assertThat(arrived()).containsExactly("whole");
  }

  @Test
  void twoAtATimeUnderOneNameAreOneOfThem() throws Exception {
    String text =
        """
        head -c 3000017 /dev/zero > zeros
        serve receive --web in
        for i in 1 2 3 4; do code -T large ${url}x > c$i & code -T zeros ${url}x > d$i & all="$all $!"; done
        for i in $(seq 600); do test $(cat c? d? | wc -l) = 8 && break; sleep 0.1; done
        cat c? d? | sort; over; cmp in/x large || cmp in/x zeros
        """;
    assertThat(script(SHELL + text)).startsWith("201\n" + "409\n".repeat(7));
    assertThat(arrived()).containsExactly("x");
  }

  // --- Who breaks off, and who has no key

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 1000\r\n\r\nabc",
        "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        "Content-Length: 1000\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n"
            + "Content-Disposition: form-data; filename=\"cut\"\r\n\r\nabc",
      })
  void whatIsCutOffLeavesNothing(String rest) throws Exception {
    Files.createDirectory(folder.resolve("in"));
    String method = rest.contains("form-data") ? "POST %s" : "PUT %scut";
    try (BuiltZcp zcp = receive()) {
      URI url = URI.create(zcp.firstLine());
      try (Socket socket = connect(url)) {
        send(socket, method.formatted(url.getPath()) + " HTTP/1.1\r\nHost: x\r\n" + rest);
        zcp.await("a partial file", () -> !arrived().isEmpty());
        assertThat(arrived()).allMatch(name -> name.startsWith(".zcp-"));
      }
      zcp.await("its failure", () -> zcp.err().contains("cut: did not come to its end"));
      zcp.await("its end", () -> arrived().isEmpty());
      zcp.await("the report", () -> zcp.err().contains("Z 127.0.0.1 "));
    }
  }

  /// A client that waits for its answer waited until the stall time-out, and then got none. The
  /// last of these was an internal error.
  @ParameterizedTest
  @CsvSource({
    "zz, invalid chunk length",
    "-5, invalid chunk length",
    "80000000, a chunk is longer than 2 GiB",
  })
  void aChunkWithoutALengthIsAnsweredAtOnce(String length, String why) throws Exception {
    Files.createDirectory(folder.resolve("in"));
    try (BuiltZcp zcp = receive("--stall-timeout=10m")) {
      URI url = URI.create(zcp.firstLine());
      for (String type : List.of("text/plain", "multipart/form-data; boundary=b")) {
        try (Socket socket = connect(url)) {
          send(
              socket,
              (type.startsWith("text") ? "PUT" : "POST")
                  + " %sx HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
                      .formatted(url.getPath())
                  + "Content-Type: %s\r\n\r\n%s\r\nabc\r\n".formatted(type, length));
          BufferedReader answer =
              new BufferedReader(
                  new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
          assertThat(answer.readLine()).startsWith("HTTP/1.1 400 ");
          assertThat(answer.lines().takeWhile(line -> !line.startsWith("zcp: ")))
              .contains("Connection: close");
        }
      }
      zcp.await("its failure", () -> zcp.err().contains(why));
      assertThat(zcp.err()).doesNotContain("internal error");
    }
    assertThat(arrived()).isEmpty();
  }

  @Test
  void aSignalLeavesNothing() throws Exception {
    Files.createDirectory(folder.resolve("in"));
    try (BuiltZcp zcp = receive()) {
      URI url = URI.create(zcp.firstLine());
      try (Socket socket = connect(url)) {
        send(socket, "PUT " + url.getPath() + "cut HTTP/1.1\r\nContent-Length: 1000\r\n\r\nabc");
        zcp.await("a partial file", () -> !arrived().isEmpty());
        zcp.signal("TERM");
        BuiltZcp.Ended ended = zcp.end();
        assertThat(ended.exitCode()).isEqualTo(143);
        assertThat(ended.err()).contains("zcp: 127.0.0.1: interrupted (");
        assertThat(arrived()).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GE",
        "GET / HTTP/1.1\r\nHost: x\r\n",
        "PUT /KEY/x HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc"
      })
  void whoStallsIsCutOff(String request) throws Exception {
    Files.createDirectory(folder.resolve("in"));
    try (BuiltZcp zcp = receive("--stall-timeout=1s")) {
      URI url = URI.create(zcp.firstLine());
      try (Socket socket = connect(url)) {
        send(socket, request.replace("/KEY/", url.getPath()));
        assertThat(readAll(socket)).isEmpty();
      }
      zcp.await("nothing left", () -> arrived().isEmpty());
    }
  }

  @Test
  void whoTakesNothingIsCutOff() throws Exception {
    Path film = Files.write(folder.resolve("film"), new byte[40 << 20]);
    try (BuiltZcp zcp =
        BuiltZcp.start(
            folder,
            "send",
            "--web",
            "--stall-timeout=1s",
            "--listen=127.0.0.1:0",
            film.toString())) {
      URI url = URI.create(zcp.firstLine());
      try (Socket socket = connect(url)) {
        send(socket, "GET " + url.getPath() + "film HTTP/1.1\r\nHost: x\r\n\r\n");
        zcp.await(
            "its end", () -> zcp.err().contains("its client stopped reading: it took nothing"));
      }
    }
  }

  @Test
  void twoHundredWhoSendTheirHeadersSlowlyHoldUpNobody() throws Exception {
    Files.createDirectory(folder.resolve("in"));
    List<Socket> sockets = new ArrayList<>();
    try (BuiltZcp zcp = receive()) {
      URI url = URI.create(zcp.firstLine());
      for (int i = 0; i < 200; i++) {
        Socket socket = connect(url);
        sockets.add(socket);
        send(socket, "GET / HTTP/1.1\r\nX-" + i);
      }
      Programs.run("curl", "-sS", "-T", folder.resolve("small").toString(), url.toString());
      assertThat(arrived()).containsExactly("small");
      // Each has a thread until its time is over.
      zcp.await("their end", () -> zcp.threads().size() < 40);
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  /// They were told of nowhere, and what their engines held was freed by garbage collections, which
  /// did not come once no descriptor was left: then nobody was served any more.
  @Test
  void handshakesThatFailAreToldOfOnceAndHoldNothing() throws Exception {
    Files.createDirectory(folder.resolve("in"));
    List<String> few = List.of("sh", "-c", "ulimit -n 128; exec \"$0\" \"$@\"");
    try (BuiltZcp zcp = BuiltZcp.start(folder, few, receiving("--tls"))) {
      URI url = URI.create(zcp.firstLine());
      int before = zcp.descriptors();
      for (int i = 0; i < 300; i++) {
        try (Socket socket = connect(url)) {
          send(socket, i % 3 == 0 ? "GET / HTTP/1.1\r\n\r\n" : "\u0016\u0003\u0001");
          socket.shutdownOutput();
          readAll(socket);
        } catch (IOException e) {
          assertThat(e.getMessage()).containsAnyOf("reset", "Broken pipe");
        }
      }
      zcp.await("their end", () -> zcp.descriptors() <= before);
      String file = folder.resolve("small").toString();
      Programs.run("curl", "-sSf", "-k", "-T", file, url.toString());
      assertThat(arrived()).containsExactly("small");
      zcp.signal("TERM");
      assertThat(zcp.end().err().lines().filter(line -> line.contains("handshake")))
          .satisfiesExactly(
              line ->
                  assertThat(line)
                      .startsWith("zcp: a connection from 127.0.0.1: the TLS handshake failed: "),
              line ->
                  assertThat(line)
                      .startsWith("zcp: 299 more connections failed before they proved the key"));
      assertThat(zcp.err()).doesNotContain("AppData");
    }
  }

  @Test
  void whoAcceptsNoCertificateIsToldOf() throws Exception {
    String text =
        """
        serve receive --web --tls in; command curl -sS -T small $url 2> /dev/null; echo $?
        for i in $(seq 600); do grep -q handshake said && break; sleep 0.1; done
        over; grep handshake said
        """;
    assertSays(
        """
        60
        zcp: a connection from 127.0.0.1: the TLS handshake failed: \
        the client gave it up (it may not have accepted the certificate)
        """,
        SHELL + text);
  }

  @Test
  void whoAsksATlsPortInPlainHttpIsToldOf() throws Exception {
    String text =
        """
        serve receive --web --tls in; command curl -sS "http:${url#https:}" > /dev/null 2>&1
        for i in $(seq 600); do grep -q handshake said && break; sleep 0.1; done
        over; grep handshake said
        """;
    assertSays(
        """
        zcp: a connection from 127.0.0.1: the TLS handshake failed: \
        the client does not speak TLS (the URL must begin with https)
        """,
        SHELL + text);
  }

  @Test
  void headersAreBounded() throws Exception {
    Files.createDirectory(folder.resolve("in"));
    try (BuiltZcp zcp = receive()) {
      URI url = URI.create(zcp.firstLine());
      StringBuilder many = new StringBuilder("GET " + url.getPath() + " HTTP/1.1\r\n");
      for (int i = 0; i < 200; i++) {
        many.append("X-").append(i).append(": x\r\n");
      }
      String one = "GET " + url.getPath() + " HTTP/1.1\r\nX: " + "x".repeat(100_000) + "\r\n\r\n";
      for (String request : List.of(many + "\r\n", one)) {
        try (Socket socket = connect(url)) {
          send(socket, request);
          assertThat(readAll(socket)).doesNotContain("200");
        } catch (IOException e) {
          assertThat(e.getMessage()).containsAnyOf("reset", "Broken pipe");
        }
      }
    }
  }

  /// Each took a place of the server for ever, until nobody was served any more.
  @Test
  void whoBreaksOffHoldsNoPlace() throws Exception {
    Files.createDirectory(folder.resolve("in"));
    List<String> fewDescriptors = List.of("sh", "-c", "ulimit -n 128; exec \"$@\"", "sh");
    try (BuiltZcp zcp = BuiltZcp.start(folder, fewDescriptors, receiving())) {
      URI url = URI.create(zcp.firstLine());
      for (String path : List.of("/wrong", url.getPath() + "x")) {
        for (int i = 0; i < 40; i++) {
          try (Socket socket = connect(url)) {
            String head = "PUT " + path + i + " HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n";
            send(socket, head);
          }
        }
      }
      String small = folder.resolve("small").toString();
      zcp.await("an upload", () -> Programs.succeeds("curl", "-sSf", "-T", small, url.toString()));
    }
  }

  @Test
  void withoutTheKeyAllPathsAreTheSame() throws Exception {
    String text =
        """
        serve receive --web in
        base=${url%/*/}
        for path in / /wrong/ /wrong/small /favicon.ico ${url#$base}; do
          case $path in */wrong/small) curl -i -H Expect: -T small $base$path;; *) curl -i $base$path;; esac |
            grep -v '^Date' | sha256sum
        done | uniq -c | sed 's/ [0-9a-f]*  -//'
        over; grep -c 'had another key' said
        """;
    assertThat(script(SHELL + text).replaceAll(" +", " ")).isEqualTo(" 4\n 1\n2\n");
    assertThat(arrived()).isEmpty();
  }

  @Test
  void everyAnswerHasTheHeadersThatKeepTheKeyAndThePageApart() throws Exception {
    String text =
        """
        serve receive --web in; curl -D - -o /dev/null $url; curl -D - -o /dev/null -T small $url; over
        serve send --web small; curl -D - -o /dev/null $url; curl -D - -o /dev/null ${url}small; over
        """;
    String headers = script(SHELL + text).replace("\r", "");
    for (String each :
        List.of(
            "Referrer-policy: no-referrer",
            "X-content-type-options: nosniff",
            "X-frame-options: DENY",
            "Cache-control: no-store",
            "Content-security-policy: default-src 'none';")) {
      assertThat(headers.lines().filter(line -> line.startsWith(each))).as(each).hasSize(4);
    }
    assertThat(headers).contains("Content-disposition: attachment; filename=\"small\"");
  }

  @Test
  void aKeyThatWasGivenIsShownNowhere() throws Exception {
    String text =
        """
        "$ZCP" key > key; chmod 600 key; serve receive --web --tls --key-file=key in
        grep -c -F -f key url said; ZCP_KEY=$(cat key)
        line=$(sed -n 's/^on this machine: //p' said); cp small FILE; export ZCP_KEY
        eval "$line" | cut -c 1-13; over
        """;
    assertThat(script(SHELL + text)).isEqualTo("url:0\nsaid:0\nFILE: 6 bytes\n");
  }

  @Test
  void otherMachinesAreNeverServedPlain() throws Exception {
    String text = "mkdir in; \"$ZCP\" receive --web --plain --listen=0.0.0.0:0 in; echo $?";
    assertSays(
        """
        zcp: 0.0.0.0:0: --web with --plain is for addresses of this machine only
        2
        """,
        text);
  }

  // --- What goes

  @ParameterizedTest
  @ValueSource(strings = {"", "--tls"})
  void curlFetchesAFileByTheLineThatIsPrinted(String how) throws Exception {
    String text =
        """
        mkdir got; serve send --web --once %s large
        line=$(sed -n 's/^on this machine: //p' said)
        : ${line:="curl -fOJ '${url}large'"}
        cd got; echo "$line" | sh 2> /dev/null; wait $zcp
        """;
    assertSays("", SHELL + text.formatted(how));
    assertThat(folder.resolve("got/large")).hasBinaryContent(large);
    assertThat(said()).anyMatch(line -> line.matches("20.*Z 127.0.0.1 sent 1 file, 2.86 MiB.*"));
  }

  /// Its end was the last request, and it was known to be over two seconds later.
  @Test
  void aVisitIsWrittenAsAPageAndReadAgain() throws Exception {
    String text =
        """
        serve send --web --once --json --report-file=live.html small
        url=$(sed -n 's/.*"url":"\\([^"]*\\)".*/\\1/p' url)
        code ${url}small; wait $zcp; echo $?
        "$ZCP" report --output=later.html url; echo $?
        cmp live.html later.html && echo same
        """;
    assertSays("200\n0\n0\nsame\n", SHELL + text);
  }

  @Test
  void rangesAreServedAndAFetchGoesOn() throws Exception {
    String text =
        """
        serve send --web large
        head -c 1000000 large > part; curl -C - -o part ${url}large; cmp part large
        curl -r 5-9 ${url}large > r; curl -r -5 ${url}large > s; curl -r 3000000- ${url}large > t
        code -r 4000000- ${url}large; code -r 9-5 ${url}large; code -r 1-2,4-5 ${url}large
        tag=$(curl -I ${url}large | tr -d '\\r' | sed -n 's/^Etag: //p')
        code -r 5-9 -H "If-Range: $tag" ${url}large; code -r 5-9 -H 'If-Range: "x"' ${url}large
        touch large; code -r 5-9 -H "If-Range: $tag" ${url}large
        curl -0 ${url}large | cmp - large; curl -I ${url}large | grep -c 'Content-length: 3000017'
        : > empty; over; serve send --web empty; code ${url}empty; wc -c < answer; over
        """;
    assertSays("416\n200\n200\n206\n200\n200\n1\n200\n0\n", SHELL + text);
    assertThat(folder.resolve("r")).hasBinaryContent(Arrays.copyOfRange(large, 5, 10));
    assertThat(folder.resolve("s"))
        .hasBinaryContent(Arrays.copyOfRange(large, 3_000_012, 3_000_017));
    assertThat(folder.resolve("t"))
        .hasBinaryContent(Arrays.copyOfRange(large, 3_000_000, 3_000_017));
  }

  @Test
  void aDirectoryIsListedAndFetchedAsAZipFile() throws Exception {
    Programs.assume("unzip");
    String text =
        """
        mkdir -p d/e; cp small d/e; cp large d; ln -s /etc/passwd d/link; mkfifo d/fifo; : > 'd/<b>'
        mkdir got; serve send --web --once d small
        curl ${url}d/ | grep -c '<b>'; curl ${url}d | grep -c nothing; code ${url}d/link
        cd got; curl -OJ "${url}d/?zip"; unzip -q d.zip; sort zcp-left-out.txt; diff -r d/large ../large
        find d | sort; wait $zcp
        """;
    assertSays(
        """
        0
        0
        404
        d/fifo: is no file and no directory
        d/link: is no file and no directory
        d
        d/<b>
        d/e
        d/e/small
        d/large
        """,
        SHELL + text);
  }

  @Test
  void whatOfADirectoryIsInNoZipFileIsToldWithoutControlCharacters() throws Exception {
    Programs.assume("unzip");
    String text =
        """
        mkdir d; mkfifo "$(printf 'd/a\\033[31m')"; printf 1 > "$(printf 'd/\\377')"; echo > d/.zcp-x
        printf 2 > 'd/\\xff'; printf 3 > d/zcp-left-out.txt
        serve send --web --once d
        code "${url}?zip"; unzip -qo answer -d got; cat got/d/* got/zcp-left-out.txt; wait $zcp
        echo $?; grep -c "$(printf '\\033')" said
        """;
    assertSays(
        """
        200
        23d/.zcp-x: names with .zcp- are zcp's own partial files
        d/a\\x1b[31m: is no file and no directory
        d/\\xff: has the same name there as another one
        1
        0
        """,
        SHELL + text);
    assertThat(said()).contains("zcp: d/\\xff: has the same name there as another one");
  }

  /// Both the file and the list of what is left out were to have one name, and the zip file broke.
  @Test
  void theListOfWhatIsLeftOutHasANameOfItsOwn() throws Exception {
    Programs.assume("unzip", "tar");
    String text =
        """
        echo 1 > zcp-left-out.txt; echo 2 > zcp-left-out-2.txt; mkdir d got; mkfifo d/fifo
        serve send --web d zcp-left-out.txt zcp-left-out-2.txt
        code "${url}?zip"; unzip -q answer -d got; curl "${url}?tar" | tar x
        cat got/zcp-left-out.txt got/zcp-left-out-2.txt got/zcp-left-out-3.txt zcp-left-out-3.txt
        over
        """;
    assertSays(
        """
        200
        1
        2
        d/fifo: is no file and no directory
        d/fifo: is no file and no directory
        """,
        SHELL + text);
  }

  @Test
  void aTarFileHasAllNamesAndTimesAsTheyAre() throws Exception {
    Programs.assume("tar");
    String text =
        """
        long=$(printf %0250d 1); mkdir -p d/$long/$long got; cp small d/$long/$long/$long
        cp large d; : > d/empty; printf 1 > "$(printf 'd/\\377')"; printf 2 > 'd/\\xff'
        touch -d 1969-01-01T00:00:00Z d/empty; chmod 750 d/large; ln -s x d/link
        serve send --web d; curl -I "${url}d/?tar" | grep -c 'filename="d.tar"'
        cd got; curl "${url}d/?tar" | tar x 2> /dev/null; over; cat zcp-left-out.txt; rm ../d/link
        diff -r d ../d && stat -c '%a %Y' d/empty d/large ../d/large | sed 's/ [0-9][0-9]*$//'
        """;
    assertSays(
        """
        1
        d/link: is no file and no directory
        644 -31536000
        750
        750
        """,
        SHELL + text);
  }

  /// A zip file takes memory for each entry: a million took 388 MB.
  @Test
  void moreEntriesThanAZipFileHasAreATarFile() throws Exception {
    String text =
        """
        mkdir -p d/e/f; seq 99996 | (cd d/e/f; xargs touch); kinds() {
          for i in d/ ''; do curl -I "${url}$i?zip" | grep -o 'filename="[^"]*"'; done
        }
        serve send --web d small
        kinds; : > d/more; kinds; : > d/again; kinds
        curl "${url}d/" | grep -o 'a tar file if there are more than [0-9,]*'; over
        """;
    assertSays(
        """
        filename="d.zip"
        filename="files.zip"
        filename="d.zip"
        filename="files.tar"
        filename="d.tar"
        filename="files.tar"
        a tar file if there are more than 100,000
        """,
        SHELL + text);
  }

  @Test
  void whoLeavesBeforeAZipFileIsWholeLeavesAFailure() throws Exception {
    String text =
        """
        mkdir d; (cd d; seq -f %0200g 8000 | xargs mkdir)
        serve send --web --once d
        curl --limit-rate 100k "${url}d/?zip" 2> /dev/null | head -c 1000 | wc -c; wait $zcp; echo $?
        """;
    assertSays("1000\n5\n", SHELL + text);
    assertThat(said()).anyMatch(line -> line.contains("its client stopped reading"));
  }

  @Test
  void whatWasNamedAndIsGoneIsAFailure() throws Exception {
    Programs.assume("unzip");
    String text =
        """
        cp small other; serve send --web --once small other; rm other
        code "${url}?zip"; unzip -p answer; wait $zcp; echo $?
        """;
    assertSays("200\nsmall\nother: no such file or directory\n1\n", SHELL + text);
  }

  @Test
  void whatCannotBeReadIsAFailure() throws Exception {
    Programs.assume("unzip");
    String text =
        """
        mkdir d; : > d/file; (cd d; for i in $(seq 101); do mkdir e; cd e; done)
        serve send --web --once d
        code "${url}d/?zip"; unzip -p answer zcp-left-out.txt | cut -c 1-3,202-; wait $zcp; echo $?
        """;
    assertSays("200\nd/e: is more than 100 directories deep\n1\n", SHELL + text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../said",
        "%2e%2e/said",
        "d/../../said",
        "d/%2e%2e/said",
        "d%2f..",
        "said",
        "d/x",
        "d/.zcp-1",
        "d/.zcp-2/file"
      })
  void nothingElseCanBeFetched(String path) throws Exception {
    String text =
        "mkdir -p d/.zcp-2; : > d/.zcp-1; : > d/.zcp-2/file; serve send --web d; code --path-as-is"
            + " ${url}%s; cat answer; over";
    assertThat(script(SHELL + text.formatted(path))).matches("(?s)40[04]\n(zcp: .*|not found\n)");
  }

  @Test
  void aFileThatChangesWhileItGoesIsNeverWhole() throws Exception {
    Files.write(folder.resolve("large"), new byte[40 << 20]);
    String text =
        """
        serve send --web large
        (curl --limit-rate 20M ${url}large | wc -c > got; echo) > /dev/null 2>&1 & client=$!
        sleep 0.7; printf x >> large; wait $client
        test $(cat got) -lt $((40 << 20)) && echo less; sleep 0.3; over
        """;
    assertSays("less\n", SHELL + text);
    assertThat(said()).anyMatch(line -> line.contains("large: changed while it was sent"));
  }

  @Test
  void aZipFileThatCannotBecomeWholeIsCutOff() throws Exception {
    Files.createDirectory(folder.resolve("d"));
    Files.write(folder.resolve("d/large"), new byte[40 << 20]);
    String text =
        """
        serve send --web d
        (curl --limit-rate 20M "${url}d/?zip" > got; echo $? > code) 2> /dev/null & client=$!
        for i in $(seq 600); do test -s got && break; sleep 0.1; done
        printf x >> d/large; wait $client; cat code; sleep 0.3; over
        """;
    assertThat(script(SHELL + text)).containsPattern("^(18|56)\n$");
    assertThat(said()).anyMatch(line -> line.contains("d/large: changed while it was sent"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "receive --web --accept=links in | --web and --accept cannot be combined: ",
        "receive --web 127.0.0.1:1 in | --web waits for browsers and writes into a DIRECTORY",
        "receive --web - | --web waits for browsers and writes into a DIRECTORY",
        "send --web - | --web cannot send '-', which can be read only once",
        "send --web missing | missing: no such file or directory",
        "send --web small ./small | ./small: has the same name as another one",
        "send --web .zcp-1 | .zcp-1: names with .zcp- are zcp's own partial files",
        "send --web . | .: has no name that it could be fetched by",
        "send --web --exclude=x small | --web and --exclude cannot be combined: ",
        "receive --web missing | missing: no such directory",
      })
  void whatCannotBeIsSaid(String command, String message) throws Exception {
    assertThat(script("mkdir in .zcp-1; \"$ZCP\" " + command))
        .matches("(?s)zcp[a-z ]*: \\Q" + message + "\\E.*");
  }

  private BuiltZcp receive(String... more) throws IOException {
    return BuiltZcp.start(folder, receiving(more));
  }

  private String[] receiving(String... more) {
    List<String> words = new ArrayList<>(List.of("receive", "--web", "--listen=127.0.0.1:0"));
    words.addAll(List.of(more));
    words.add(folder.resolve("in").toString());
    return words.toArray(String[]::new);
  }

  private static Socket connect(URI url) throws IOException {
    Socket socket = new Socket(url.getHost(), url.getPort());
    socket.setSoTimeout(60_000);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static String readAll(Socket socket) throws IOException {
    try (InputStream in = socket.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }
}
