package dev.zcp.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class RunPageTest {

  @Test
  void aPageHasWhatTheResultHasAndExplainsIt() throws Exception {
    Document page = parse(SavedSample.page(SavedSample.rich()));
    assertThat(texts(page, "h2"))
        .containsExactly(
            "the target's disk was slow: 61 % of the time went into writes",
            "Where the time went",
            "Throughput over time",
            "Latencies by stage",
            "Latencies over time",
            "The slowest operations",
            "How the bytes were moved",
            "What went wrong",
            "What the stages are");
    assertThat(texts(page, "caption"))
        .containsExactly(
            "Latencies of each stage",
            "Single operations that took longest",
            "Strategies that moved bytes");
    assertThat(all(page, "svg")).hasSize(5);
    assertThat(page.getDocumentElement().getTextContent())
        .contains("copied 2 files, 1.20 GiB in 412 ms (2.90 GiB/s)")
        .contains("reflink: the file system has no reflinks")
        .contains("gone.raw: no such file")
        .contains("1,048,576")
        .contains("p99.9, the small ring, 99.9 %")
        .contains("Pauses of the process")
        .contains("copy to another disk")
        .contains("write, receiver", "one write of a step that goes through memory")
        .contains("closing a complete file and giving it its name");
  }

  @Test
  void whatAResultDoesNotHaveIsLeftOut() throws Exception {
    Document page = parse(SavedSample.page(SavedSample.json(Recorded.sendOfOneStep())));
    assertThat(texts(page, "h2"))
        .containsExactly(
            "Where the time went",
            "Latencies by stage",
            "How the bytes were moved",
            "What the stages are");
    assertThat(all(page, "svg")).hasSize(1);
  }

  /// Former releases wrote one for each web visit: it went on until the visit was known to be over.
  @Test
  void aCourseIsDrawnUpToTheEndOfTheRun() throws Exception {
    String text = SavedSample.rich();
    String longer = text.replace(",1283457024],", ",1283457024,1283457024],");
    assertThat(SavedSample.page(longer)).isEqualTo(SavedSample.page(text));
    text = text.replace("{\"stepNs\":100000000,\"moved", "{\"stepNs\":500000000,\"moved");
    assertThat(texts(parse(SavedSample.page(text)), "h2"))
        .contains("Where the time went")
        .doesNotContain("Throughput over time");
  }

  @Test
  void eachStepOfALatencyThatHasSamplesIsAField() throws Exception {
    Document page = parse(SavedSample.page(SavedSample.rich()));
    List<String> fields =
        all(page, "rect").stream()
            .map(each -> each.getAttribute("class"))
            .filter(kind -> kind.startsWith("heat "))
            .toList();
    assertThat(fields).containsExactly("heat heat4", "heat heat1", "heat heat4", "heat heat2");
    assertThat(texts(page, "h3")).containsExactly("copy");
  }

  @Test
  void whatIsDrawnOverTimeBeginsAfterTheLoginBySsh() throws Exception {
    String text = SavedSample.rich();
    assertThat(starts(text, "step"))
        .containsExactly(
            "0.000%",
            "23.796%", "47.592%", "71.388%", "0.000%", "23.796%", "47.592%", "71.388%", "95.184%");
    assertThat(starts(text, "heat")).containsExactly("0.000%", "23.796%", "47.592%", "71.388%");
    text = text.replace("\"publish\":", "\"login\":").replace("Ns\":41100", "Ns\":100000000");
    assertThat(starts(text, "step"))
        .containsExactly(
            "23.796%", "47.592%", "71.388%", "23.796%", "47.592%", "71.388%", "95.184%");
    assertThat(starts(text, "heat")).containsExactly("23.796%", "47.592%", "71.388%", "95.184%");
  }

  /// Where the boxes of a kind begin.
  private static List<String> starts(String text, String kind) throws Exception {
    return all(parse(SavedSample.page(text)), "rect").stream()
        .filter(each -> (each.getAttribute("class") + " ").startsWith(kind + " "))
        .map(each -> each.getAttribute("x"))
        .toList();
  }

  @Test
  void aHeatMapThatCannotBeIsRefused() {
    for (String wrong : List.of("\"steps\":5", "\"steps\":2000000000")) {
      String text = SavedSample.rich().replace("\"steps\":4", wrong);
      assertThatThrownBy(() -> SavedSample.page(text))
          .hasMessage(
              "run.json: line 6 has no proper 'heatMap' (zcp report reads what --json wrote)");
    }
    String text = SavedSample.rich().replace("[131072,262144]", "[131072,131072]");
    assertThatThrownBy(() -> SavedSample.page(text))
        .hasMessage(
            "run.json: line 6 has no proper 'heatMap' (zcp report reads what --json wrote)");
  }

  @Test
  void aHeatMapWithoutASampleIsNotDrawn() throws Exception {
    String none = SavedSample.rich().replace("[0,90,1,0,100,0,0,13]", "[0,0,0,0,0,0,0,0]");
    assertThat(texts(parse(SavedSample.page(none)), "h3")).isEmpty();
  }

  @Test
  void aPageAsksForNothingAndHasNoScript() throws Exception {
    String two = SavedSample.rich() + SavedSample.json(Recorded.sendOfOneStep());
    for (String text : List.of(SavedSample.page(SavedSample.rich()), SavedSample.page(two))) {
      Document page = parse(text);
      for (String tag : List.of("script", "link", "img", "iframe", "image", "use")) {
        assertThat(all(page, tag)).as(tag).isEmpty();
      }
      assertThat(text).contains("default-src &#39;none&#39;");
      assertThat(text.replace("http://www.w3.org/", "")).doesNotContain("http://", "https://");
      assertThat(all(page, "svg"))
          .isNotEmpty()
          .allMatch(svg -> svg.getFirstChild().getNodeName().equals("title"));
    }
  }

  @Test
  void namesThatAreMarkupOrControlCharactersAreOnlyShown() throws Exception {
    String hostile = "</li><script>alert(1)</script>\\u001b[2J\\u202e&";
    String text = SavedSample.rich().replace("gone.raw", hostile).replace("photo.raw", hostile);
    String page = SavedSample.page(text);
    assertThat(page).doesNotContain("<script").doesNotContain("\u001b").doesNotContain("\u202e");
    assertThat(parse(page).getDocumentElement().getTextContent()).contains("<script>alert(1)");
  }

  @Test
  void aFieldThatIsNotWhatItShouldBeIsNamed() {
    String text = SavedSample.rich().replace("\"offset\":1048576", "\"offset\":-1");
    assertThatThrownBy(() -> SavedSample.page(text))
        .isInstanceOf(Failure.class)
        .hasMessage("run.json: line 6 has no proper 'offset'")
        .extracting(e -> ((Failure) e).exitCode())
        .isEqualTo(ExitCode.SOURCE);
  }

  private static Document parse(String text) throws Exception {
    String xml = text.substring(text.indexOf('\n') + 1);
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
  }

  private static List<String> texts(Document page, String tag) {
    return all(page, tag).stream().map(Element::getTextContent).toList();
  }

  private static List<Element> all(Document page, String tag) {
    List<Element> all = new ArrayList<>();
    NodeList found = page.getElementsByTagName(tag);
    for (int i = 0; i < found.getLength(); i++) {
      all.add((Element) found.item(i));
    }
    return all;
  }
}
