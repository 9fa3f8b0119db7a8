package dev.zcp.web;

/// The style sheet and the script of each [WebPage]. Without the script everything works but the
/// progress.
final class PageParts {

  static final String STYLE =
      """
      :root {
        color-scheme: light dark;
        --page: #f6f6f3; --card: #ffffff; --ink: #1d2329; --soft: #5b6570; --line: #dfe2e4;
        --deep: #0b5cad; --on-deep: #ffffff; --bad: #a8321f; --good: #1f7a45; --code: #f2f3f1;
      }
      @media (prefers-color-scheme: dark) {
        :root {
          --page: #14181c; --card: #1b2025; --ink: #e4e8eb; --soft: #9aa5af; --line: #2d343b;
          --deep: #6cb4f5; --on-deep: #10202f; --bad: #f08a76; --good: #6fcf97; --code: #22282e;
        }
      }
      * { box-sizing: border-box; }
      html { -webkit-text-size-adjust: 100%; }
      body {
        margin: 0; background: var(--page); color: var(--ink);
        font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif;
      }
      main { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
      h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem; letter-spacing: -.02em; }
      h2 { font-size: 1rem; margin: 0 0 .5rem; }
      p { margin: 0 0 1rem; }
      .soft { color: var(--soft); }
      a { color: var(--deep); text-underline-offset: .2em; overflow-wrap: anywhere; }
      section {
        background: var(--card); border: 1px solid var(--line); border-radius: 12px;
        padding: 1.25rem; margin-top: 1.25rem;
      }
      section > :last-child { margin-bottom: 0; }
      fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
      .drop {
        display: block; border: 2px dashed var(--line); border-radius: 10px; padding: 1rem;
        margin-bottom: .75rem;
      }
      .drop.over { border-color: var(--deep); }
      .drop span { display: block; font-weight: 600; margin-bottom: .4rem; }
      input[type=file] { width: 100%; font: inherit; color: var(--soft); }
      input::file-selector-button, button, .button {
        font: inherit; font-weight: 600; border: 1px solid var(--line); border-radius: 8px;
        background: var(--card); color: var(--ink); padding: .5rem .9rem; cursor: pointer;
        margin-right: .75rem; text-decoration: none;
      }
      .main { background: var(--deep); border-color: var(--deep); color: var(--on-deep); }
      button.main { padding: .65rem 1.5rem; }
      :focus-visible { outline: 3px solid var(--deep); outline-offset: 2px; }
      ul { list-style: none; margin: 0; padding: 0; }
      li {
        display: flex; flex-wrap: wrap; gap: .15rem 1rem; align-items: baseline;
        padding: .6rem 0; border-bottom: 1px solid var(--line);
      }
      li:last-child { border-bottom: 0; padding-bottom: 0; }
      li:first-child { padding-top: 0; }
      li > :first-child { flex: 1 1 12rem; min-width: 0; overflow-wrap: anywhere; }
      li small { color: var(--soft); font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
      li small, li code { min-width: 0; max-width: 100%; overflow-wrap: anywhere; }
      li progress { flex: 1 0 100%; }
      progress { width: 100%; height: .5rem; accent-color: var(--deep); }
      .bad { color: var(--bad); }
      .good { color: var(--good); }
      li small.bad { color: var(--bad); }
      li small.good { color: var(--good); }
      code, pre {
        font: .8125rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
      }
      pre {
        background: var(--code); border-radius: 8px; padding: .75rem; margin: 0 0 1rem;
        white-space: pre-wrap; overflow-wrap: anywhere;
      }
      dl { margin: 0; } dt { font-weight: 600; } dd { margin: 0 0 .75rem; overflow-wrap: anywhere; }
      """;

  static final String SCRIPT =
      """
      'use strict';
      const form = document.querySelector('form');
      if (form) {
        const list = document.querySelector('#files');
        const waiting = [];
        let running = 0;
        const line = (tag, text, parent) => {
          const element = document.createElement(tag);
          element.textContent = text;
          parent.append(element);
          return element;
        };
        const add = (file, path) => {
          const row = line('li', '', list);
          line('span', path, row);
          const state = line('small', 'waits', row);
          const stop = line('button', 'Stop', row);
          const bar = line('progress', '', row);
          bar.max = 1;
          bar.value = 0;
          const job = { file, path, state, bar, stop, request: null };
          stop.type = 'button';
          stop.onclick = () => {
            if (job.request) {
              job.request.abort();
            } else {
              waiting.splice(waiting.indexOf(job), 1);
              end(job, 'bad', 'stopped');
            }
          };
          waiting.push(job);
        };
        const end = (job, kind, text) => {
          job.state.className = kind;
          job.state.textContent = text;
          job.bar.remove();
          job.stop.remove();
        };
        const over = (job, kind, text) => {
          end(job, kind, text);
          running--;
          next();
        };
        const next = () => {
          while (running < 2 && waiting.length > 0) {
            send(waiting.shift());
          }
        };
        const send = (job) => {
          running++;
          const request = new XMLHttpRequest();
          job.request = request;
          request.open('PUT', job.path.split('/').map(encodeURIComponent).join('/'));
          request.upload.onprogress = (event) => {
            if (event.lengthComputable && event.total > 0) {
              job.bar.value = event.loaded / event.total;
              job.state.textContent = Math.floor(100 * event.loaded / event.total) + ' %';
            }
          };
          request.onload = () => {
            const is = request.status === 201;
            const why = request.responseText.trim().replace('zcp: ', '').replace(job.path + ': ', '');
            over(job, is ? 'good' : 'bad', is ? 'arrived' : why);
          };
          request.onabort = () => over(job, 'bad', 'stopped; nothing of it is kept');
          request.onerror = () => over(job, 'bad', 'the connection was lost; nothing of it is kept');
          request.send(job.file);
        };
        const take = (files) => {
          for (const file of files) {
            add(file, file.webkitRelativePath || file.name);
          }
          list.parentElement.hidden = list.children.length === 0;
          next();
        };
        form.onsubmit = (event) => {
          event.preventDefault();
          for (const input of form.querySelectorAll('input[type=file]')) {
            take(input.files);
            input.value = '';
          }
        };
        const drop = document.querySelector('.drop');
        const shade = (event) => {
          event.preventDefault();
          drop.classList.toggle('over', event.type === 'dragover');
        };
        drop.ondragover = shade;
        drop.ondragleave = shade;
        drop.ondrop = (event) => {
          shade(event);
          take(event.dataTransfer.files);
        };
      }
      """;

  private PageParts() {}
}
