'use strict';

const byId = id => document.getElementById(id);
const dials = byId('dials');
const names = ['requests', 'acceptedUnique', 'duplicates', 'replayed', 'failed', 'rejected', 'rateLimited', 'inFlight'];
const lists = ['reject422', 'always503'];
let before = null;

function say(text, bad = false) {
  byId('notice').textContent = text;
  byId('notice').classList.toggle('bad', bad);
}

async function call(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: body ? {'Content-Type': 'application/json'} : {},
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(5000),
  });
  if (response.ok) {
    return response.status === 204 ? null : response.json();
  }
  const problem = await response.json().catch(() => ({}));
  const error = new Error(problem.title || 'The provider answered ' + response.status);
  error.fields = problem.errors || {};
  throw error;
}

function showCounts(counts) {
  for (const name of names) {
    byId(name).textContent = counts[name].toLocaleString('en');
  }
  byId('duplicatesBox').classList.toggle('alarm', counts.duplicates > 0);
  const now = performance.now();
  if (before && counts.requests >= before.requests) {
    byId('rate').textContent = Math.round((counts.requests - before.requests) * 1000 / (now - before.at));
  }
  before = {requests: counts.requests, at: now};
}

function showSettings(settings) {
  for (const field of dials.elements) {
    if (!(field.name in settings) || field === document.activeElement || field.hasAttribute('aria-invalid')) {
      continue;
    }
    const value = settings[field.name];
    if (field.type === 'checkbox') {
      field.checked = value;
    } else {
      field.value = lists.includes(field.name) ? value.join('\n') : value ?? '';
    }
  }
  byId('apiKeyState').textContent = settings.apiKeyRequired ? 'one is required now' : 'none is required now';
  const left = settings.outageSeconds === null ? '' : ', ' + settings.outageSeconds + ' s left';
  byId('outageState').textContent = settings.outage ? 'On' + left
      : settings.outageStartsInSeconds !== null ? 'Starts in ' + settings.outageStartsInSeconds + ' s' : 'Off';
  byId('outageState').classList.toggle('bad', settings.outage);
}

async function change(part, field) {
  try {
    const settings = await call('PUT', '/api/settings', part);
    for (const changed of [field, ...Object.keys(part).map(name => dials.elements[name])]) {
      changed?.removeAttribute('aria-invalid');
    }
    showSettings(settings);
    say('Changed: ' + Object.keys(part).map(k => k === 'requiredApiKey' ? 'API key' : k).join(', '));
  } catch (error) {
    field?.setAttribute('aria-invalid', 'true');
    const fields = Object.entries(error.fields || {}).map(([name, fault]) => name + ' ' + fault);
    say(fields.length ? fields.join('; ') : error.message, true);
  }
}

function valueOf(field) {
  if (field.type === 'checkbox') {
    return field.checked;
  }
  if (lists.includes(field.name)) {
    return field.value.split('\n').map(line => line.trim()).filter(line => line);
  }
  if (field.type === 'number') {
    return field.value === '' && 'optional' in field.dataset ? null : field.valueAsNumber;
  }
  return field.value;
}

dials.addEventListener('submit', event => event.preventDefault());
dials.addEventListener('change', event => {
  const field = event.target;
  if (field.name.startsWith('latency')) {
    // the two bound each other, so they are only ever changed together
    change({latencyMinMs: valueOf(dials.elements.latencyMinMs), latencyMaxMs: valueOf(dials.elements.latencyMaxMs)}, field);
  } else if (field.name) {
    change({[field.name]: valueOf(field)}, field);
  }
});
byId('setKey').addEventListener('click', async () => {
  await change({requiredApiKey: byId('apiKey').value}, byId('apiKey'));
  byId('apiKey').value = '';
});
byId('dropKey').addEventListener('click', () => change({requiredApiKey: null}, byId('apiKey')));
for (const button of document.querySelectorAll('[data-outage]')) {
  button.addEventListener('click', () => change(JSON.parse(button.dataset.outage)));
}
byId('clear').addEventListener('click', async () => {
  if (!confirm('Forget all counters, sends and idempotency keys?')) {
    return;
  }
  try {
    await call('DELETE', '/api/sends');
    before = null;
    say('Cleared.');
    refresh();
  } catch (error) {
    say(error.message, true);
  }
});

byId('find').addEventListener('submit', async event => {
  event.preventDefault();
  const found = byId('found');
  try {
    const report = await call('GET', '/api/sends?to=' + encodeURIComponent(byId('address').value));
    const summary = document.createElement('p');
    summary.textContent = report.requests + ' requests, ' + report.accepted + ' accepted'
        + (report.firstRequestAt ? '; first request ' + report.firstRequestAt : '');
    found.replaceChildren(summary);
    if (report.sends.length) {
      found.append(tableOf(report.sends));
    }
  } catch (error) {
    found.textContent = error.message;
  }
});

function tableOf(sends) {
  const table = document.createElement('table');
  const row = (cells, kind, to) => {
    const tr = to.insertRow();
    for (const text of cells) {
      const cell = document.createElement(kind);
      cell.textContent = text ?? '–';
      tr.append(cell);
    }
  };
  row(['Arrived', 'Result', 'Key', 'Message id'], 'th', table.createTHead());
  const body = table.createTBody();
  for (const send of sends) {
    row([send.at, send.result ?? 'in flight', send.key, send.messageId], 'td', body);
  }
  const scroll = document.createElement('div');
  scroll.className = 'scroll';
  scroll.tabIndex = 0;
  scroll.append(table);
  return scroll;
}

let down = false;
async function refresh() {
  try {
    const [counts, settings] = await Promise.all([call('GET', '/api/sends'), call('GET', '/api/settings')]);
    showCounts(counts);
    showSettings(settings);
    if (down) {
      say('Connected again.');
      down = false;
    }
  } catch {
    down = true;
    say('The provider does not answer.', true);
  }
}

async function follow() {
  if (!document.hidden) {
    await refresh();
  }
  setTimeout(follow, 1000);
}
follow();
