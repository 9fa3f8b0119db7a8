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
