package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.SampleBench;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class BenchPageTest {

  private static final double PIXELS_OF_A_CHARACTER_MAX = 8;

  @Test
  void thePageAsksForNothingAndAllowsNothing() throws Exception {
    Document page = page(SampleBench.result());
    List<Element> metas = all(page, "meta");
    assertThat(metas.getFirst().getAttribute("charset")).isEqualTo("utf-8");
    assertThat(metas.get(1).getAttribute("http-equiv")).isEqualTo("Content-Security-Policy");
    assertThat(metas.get(1).getAttribute("content")).startsWith("default-src 'none'; style-src ");
    for (String tag : List.of("script", "link", "img", "iframe", "image", "use", "foreignObject")) {
      assertThat(all(page, tag)).as(tag).isEmpty();
    }
    for (Element element : all(page, "*")) {
      for (int i = 0; i < element.getAttributes().getLength(); i++) {
        String name = element.getAttributes().item(i).getNodeName();
        assertThat(name).doesNotStartWith("on").isNotIn("src", "style", "srcset", "xlink:href");
      }
      assertThat(element.getAttribute("href")).matches("|#group-[0-9]+");
    }
    assertThat(all(page, "style").getFirst().getTextContent())
        .doesNotContain("url(")
        .doesNotContain("@import")
        .doesNotContain("@font-face");
  }

  @Test
  void everyLinkLeadsToAPlaceOfThePage() throws Exception {
    Document page = page(SampleBench.result());
    List<String> places =
        all(page, "section").stream().map(e -> "#" + e.getAttribute("id")).toList();
    assertThat(all(page, "a")).hasSize(3).allMatch(a -> places.contains(a.getAttribute("href")));
  }

  @Test
  void everyPictureHasATitleAndEveryTableItsHeaders() throws Exception {
    Document page = page(SampleBench.result());
    assertThat(all(page, "svg"))
        .hasSize(6)
        .allMatch(svg -> svg.getAttribute("role").equals("img"))
        .allMatch(svg -> svg.getFirstChild().getNodeName().equals("title"));
    assertThat(all(page, "table"))
        .hasSize(14)
        .allMatch(table -> table.getElementsByTagName("caption").getLength() == 1);
    assertThat(all(page, "th"))
        .allMatch(th -> th.getAttribute("scope").matches("row|col"))
        .noneMatch(th -> th.getTextContent().isBlank());
  }

  @Test
  void aRowHasAsManyCellsAsItsTableHasColumns() throws Exception {
    for (Element table : all(page(SampleBench.result()), "table")) {
      int columns = -1;
      for (Element row : all(table, "tr")) {
        int cells = 0;
        for (Element cell : all(row, "*")) {
          String span = cell.getAttribute("colspan");
          boolean isCell = cell.getTagName().equals("td") || cell.getTagName().equals("th");
          cells += !isCell ? 0 : span.isEmpty() ? 1 : Integer.parseInt(span);
        }
        columns = columns < 0 ? cells : columns;
        assertThat(cells).isEqualTo(columns);
      }
    }
  }

  @Test
  void aClaimIsDrawnBesideAFileOfItsOwnSizeAlone() {
    SampleBench.Of of =
        SampleBench.of(Experiment.COPY, "heap", 1 << 20, 1 << 20).claim("A 1", "5 ms", 5);
    assertThat(pageOf(of.measured()))
        .contains("\"ghost\"")
        .contains("the mean that the article claims");
    assertThat(pageOf(of.claimOfSize(1 << 21).measured()))
        .doesNotContain("\"ghost\"")
        .doesNotContain("the mean that the article claims")
        .contains("5 ms");
  }

  private static String pageOf(CellResult cell) {
    BenchResult.Group group = new BenchResult.Group("copy", "", List.of(cell));
    return BenchPage.of(SampleBench.result(List.of(group)));
  }

  @Test
  void nothingThatIsDrawnLeavesItsPicture() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 50; round++) {
      List<CellResult> cells = new ArrayList<>();
      for (int i = 0; i < 1 + random.nextInt(12); i++) {
        double[] runsMs = random.doubles(1 + random.nextInt(9), 0, Math.exp(i)).toArray();
        long p50Ns = random.nextLong(1L << random.nextInt(1, 40));
        cells.add(
            SampleBench.of(Experiment.SEND, "strategy" + i, 1 << i, 1 << 20)
                .ms(1, runsMs)
                .claim("A 1", "x", random.nextDouble(50))
                .calls(1, p50Ns, 2 * p50Ns, 3 * p50Ns, 9 * p50Ns, 1000 * p50Ns)
                .measured());
      }
      BenchResult.Group group = new BenchResult.Group("send", "", cells);
      Document page = page(SampleBench.result(List.of(group)));
      for (Element svg : all(page, "svg")) {
        double height = Double.parseDouble(svg.getAttribute("height"));
        for (Element shape : all(svg, "*")) {
          checkInside(shape, height, "seed " + seed);
        }
      }
    }
  }

  @Test
  void noBarIsLongerThanOneThatTookLonger() throws Exception {
    Document page = page(SampleBench.result(List.of(SampleBench.article())));
    List<Double> widths =
        all(all(page, "svg").getFirst(), "rect").stream()
            .filter(rect -> rect.getAttribute("class").equals("bar"))
            .map(rect -> number(rect, "width"))
            .toList();
    // stream whole, stream, heap, direct, direct 512K, mmap: medians 130, 65, 56, 49, 48, 70
    assertThat(widths).hasSize(6);
    assertThat(widths.get(0) / widths.get(4)).isBetween(2.69, 2.73);
    assertThat(widths.get(5)).isLessThan(widths.get(0)).isGreaterThan(widths.get(1));
  }

  @Test
  void whatANameHoldsIsTextAndNothingElse() throws Exception {
    String name = "</td></svg></style><script>alert('&\"')</script>\u001b\0\u202e\ud800\uffff";
    BenchResult result = SampleBench.hostile(name);
    String text = BenchPage.of(result);
    assertThat(text).doesNotContain("<script").doesNotContain("alert('");
    Document page = page(result);
    assertThat(all(page, "script")).isEmpty();
    assertThat(
            all(page, "h2").getFirst().getTextContent() + all(page, "h2").get(1).getTextContent())
        .contains("</td></svg></style><script>alert('&\"')</script>\\x1b\\x00\\u{202e}\\u{d800}");
  }

  @Test
  void aWinnerIsMarkedByAWordAndNotByColourAlone() throws Exception {
    Document page = page(SampleBench.result());
    for (Element svg : all(page, "svg")) {
      for (Element row : all(svg, "g")) {
        boolean isTimes = svg.getFirstChild().getTextContent().contains("median");
        boolean isFastest = row.getAttribute("class").equals("fastest");
        if (isTimes && isFastest) {
          assertThat(row.getTextContent()).contains("fastest");
        }
      }
    }
    assertThat(all(page, "span").stream().map(Element::getTextContent))
        .contains("fastest", "≈ as fast", "failed");
  }

  @Test
  void aPageOfARunOfWhichNothingCouldBeMeasuredStillSaysWhy() throws Exception {
    CellResult refused =
        new CellResult.Refused(
            SampleBench.of(Experiment.READ, "splice", 1, 1).measured().cell(), "no pipe");
    BenchResult.Group group = new BenchResult.Group("read", "", List.of(refused));
    Document page = page(SampleBench.result(List.of(group)));
    assertThat(page.getDocumentElement().getTextContent())
        .contains("nothing was measured", "not here: splice 1: no pipe");
    assertThat(all(page, "svg")).isEmpty();
  }

  /// Across in percent, down in pixels.
  private static void checkInside(Element shape, double height, String seed) {
    String what = seed + ": " + shape.getTagName() + " " + shape.getAttribute("class");
    switch (shape.getTagName()) {
      case "line" -> {
        assertThat(number(shape, "x1")).as(what).isBetween(0.0, 100.0);
        assertThat(number(shape, "x2")).as(what).isBetween(0.0, 100.0);
        assertThat(number(shape, "y1")).as(what).isBetween(0.0, height);
        assertThat(number(shape, "y2")).as(what).isBetween(0.0, height);
      }
      case "rect" -> {
        assertThat(number(shape, "x") + number(shape, "width")).as(what).isBetween(0.0, 100.0);
        assertThat(number(shape, "y") + number(shape, "height")).as(what).isBetween(0.0, height);
      }
      case "circle" -> {
        assertThat(number(shape, "cx")).as(what).isBetween(0.0, 100.0);
        assertThat(number(shape, "cy") + number(shape, "r")).as(what).isBetween(0.0, height);
      }
      case "text" -> {
        assertThat(number(shape, "x")).as(what).isBetween(0.0, 100.0);
        assertThat(number(shape, "y")).as(what).isBetween(0.0, height);
        double width = shape.getTextContent().length() * PIXELS_OF_A_CHARACTER_MAX;
        assertThat(width).as(what).isLessThan(320);
      }
      case "title", "g", "tspan" -> assertThat(shape.getAttribute("x")).isEmpty();
      default -> throw new AssertionError("unknown shape: " + what);
    }
  }

  private static double number(Element element, String attribute) {
    return Double.parseDouble(element.getAttribute(attribute).replace("%", ""));
  }

  private static Document page(BenchResult result) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    byte[] text = BenchPage.of(result).getBytes(StandardCharsets.UTF_8);
    return factory.newDocumentBuilder().parse(new ByteArrayInputStream(text));
  }

  private static List<Element> all(Document document, String tag) {
    return all(document.getDocumentElement(), tag);
  }

  private static List<Element> all(Element below, String tag) {
    NodeList nodes = below.getElementsByTagName(tag);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }
}
