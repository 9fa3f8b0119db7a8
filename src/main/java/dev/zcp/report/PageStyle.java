package dev.zcp.report;

/// The style sheet of each [HtmlPage].
final class PageStyle {

  /// It is a constant and not a file of the jar. Classes come from the AOT cache, so nothing else
  /// would open the jar, and to open it takes 8 ms.
  static final String SHEET =
      """

      :root {
        color-scheme: light dark;
        --page: #fbfbf9; --ink: #1d2329; --soft: #5b6570; --line: #dfe2e4; --panel: #f2f3f1;
        --bar: #a9b4bf; --best: #0b5cad; --near: #5a9bdc; --bad: #a8321f; --care: #fdf3dd; --care-line: #c98a1b;
      }
      @media (prefers-color-scheme: dark) {
        :root {
          --page: #14181c; --ink: #e4e8eb; --soft: #9aa5af; --line: #2d343b; --panel: #1b2025;
          --bar: #5d6873; --best: #6cb4f5; --near: #3b78b0; --bad: #f08a76; --care: #2b2413; --care-line: #c98a1b;
        }
      }
      * { box-sizing: border-box; }
      html { -webkit-text-size-adjust: 100%; }
      body {
        margin: 0; background: var(--page); color: var(--ink);
        font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif;
      }
      main { max-width: 72rem; margin: 0 auto; padding: 3.5rem 1.5rem 5rem; }
      h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; letter-spacing: -.02em; font-weight: 650; }
      h2 { font-size: 1.25rem; line-height: 1.3; margin: 0 0 .5rem; letter-spacing: -.01em; font-weight: 600; }
      p { margin: 0 0 1rem; max-width: 46rem; }
      code { font: .875em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
      h3 { font-size: .9375rem; margin: 0 0 .25rem; font-weight: 600; }
      section { margin-top: 3.5rem; }
      .command { overflow-wrap: anywhere; color: var(--soft); margin: 0; }
      .note { color: var(--soft); font-size: .9375rem; }
      a { color: inherit; text-decoration-color: var(--bar); text-underline-offset: .2em; }
      header + section { margin-top: 2rem; }
      .glance { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--line); }
      .glance li {
        display: flex; flex-wrap: wrap; gap: .1rem 1rem; align-items: baseline;
        padding: .6rem 0; border-bottom: 1px solid var(--line);
      }
      .glance a { flex: 1 1 16rem; overflow-wrap: anywhere; }
      .glance strong { color: var(--best); font-weight: 600; overflow-wrap: anywhere; }
      .glance .detail { color: var(--soft); font-variant-numeric: tabular-nums; min-width: 11rem; text-align: right; }
      .bad { color: var(--bad); font-weight: 600; }
      .warnings {
        margin-top: 2rem; padding: 1rem 1.25rem; background: var(--care);
        border-left: 4px solid var(--care-line); border-radius: 0 6px 6px 0;
      }
      .warnings h2 { font-size: 1rem; }
      .warnings ul { margin: 0; padding-left: 1.1rem; overflow-wrap: anywhere; }
      figure { margin: 1.75rem 0 2rem; }
      figcaption { color: var(--soft); font-size: .8125rem; margin-top: .5rem; max-width: 46rem; }
      svg { display: block; font-size: 13px; font-variant-numeric: tabular-nums; }
      svg text { fill: var(--ink); stroke: var(--page); stroke-width: 4px; paint-order: stroke; stroke-linejoin: round; }
      svg .figure, svg .tick { fill: var(--soft); }
      svg .tick { font-size: 11px; }
      .times .fastest .figure:last-of-type, .times .near .figure:last-of-type { fill: var(--best); font-weight: 600; }
      svg .fastest .label { font-weight: 600; }
      svg .failed text.label, svg .failed text.figure { fill: var(--bad); }
      svg .grid { stroke: var(--line); }
      svg .bar, svg .stem { fill: var(--bar); }
      svg .near .bar, svg .near .stem { fill: var(--near); }
      svg .fastest .bar, svg .fastest .stem { fill: var(--best); }
      svg line.stem { stroke: var(--bar); stroke-width: 2; }
      svg .near line.stem { stroke: var(--near); }
      svg .fastest line.stem { stroke: var(--best); }
      svg .whisker { stroke: var(--ink); stroke-width: 1.25; }
      svg .ring { fill: var(--page); stroke: var(--soft); stroke-width: 1.75; }
      svg .fastest .ring { stroke: var(--best); }
      svg .ghost { fill: none; stroke: var(--soft); stroke-dasharray: 3 2; }
      svg .step { fill: var(--near); shape-rendering: crispEdges; }
      svg .heat { fill: var(--best); shape-rendering: crispEdges; }
      svg .heat1 { fill-opacity: .18; }
      svg .heat2 { fill-opacity: .38; }
      svg .heat3 { fill-opacity: .58; }
      svg .heat4 { fill-opacity: .78; }
      svg .stroke { stroke: var(--ink); stroke-width: 2; }
      svg .axis { stroke: var(--soft); }
      svg .over { stroke-opacity: .6; }
      .verdict { padding: 1.25rem 1.5rem .5rem; background: var(--panel); border-radius: 8px; }
      .verdict dl { margin: .75rem 0; }
      .scroll { overflow-x: auto; margin: 0 0 2rem; border-radius: 6px; }
      .scroll:focus-visible, a:focus-visible { outline: 2px solid var(--best); outline-offset: 3px; }
      table { border-collapse: collapse; font-size: .8125rem; width: 100%; font-variant-numeric: tabular-nums; }
      caption { text-align: left; color: var(--soft); padding: 0 .6rem .5rem 0; }
      th, td { padding: .38rem .5rem; text-align: left; vertical-align: baseline; white-space: nowrap; }
      th:first-child { padding-left: 0; }
      th { font-weight: 500; }
      thead th { color: var(--soft); border-bottom: 1px solid var(--soft); vertical-align: bottom; }
      tbody tr + tr th, tbody tr + tr td { border-top: 1px solid var(--line); }
      .number { text-align: right; }
      td.words { color: var(--soft); }
      tr.fastest th, tr.fastest td { font-weight: 600; }
      tr.failed td.words, tr.failed th { color: var(--bad); }
      td[colspan] { white-space: normal; min-width: 20rem; }
      .badge { color: var(--best); font-size: .85em; font-weight: 600; }
      tr.failed .badge { color: var(--bad); }
      dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem 2rem; margin: 1.5rem 0 0; }
      dt { color: var(--soft); font-size: .8125rem; }
      dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
      @media (max-width: 40rem) {
        main { padding: 2rem 1rem 3rem; }
        section { margin-top: 2.5rem; }
        .glance a { flex-basis: 100%; }
        .glance .detail { text-align: left; min-width: 0; }
        svg { font-size: 12px; }
      }
      @media print {
        :root { --page: #fff; --ink: #000; --soft: #444; --line: #ccc; --bar: #aaa; --best: #0b5cad; --near: #5a9bdc; --bad: #a8321f; --care: #fff; }
        main { max-width: none; padding: 0; }
        body { font-size: 10pt; }
        table { font-size: 6.5pt; }
        th, td { padding: .2rem .3rem; }
        .scroll { overflow: visible; }
        figure, tr, .warnings { break-inside: avoid; }
        h2 { break-after: avoid; }
      }
      """;

  private PageStyle() {}
}
