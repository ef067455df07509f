// The console's own script. Pages can be read without it; it adds what needs a hand: times of this
// place, keys, copying, uploads, and rows that never jump.
'use strict';

const root = document.documentElement;
const base = root.dataset.base || '';
const csrf = () => document.querySelector('meta[name="csrf"]')?.content || '';
const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];

root.classList.remove('no-js');

// Times: the server writes UTC; here they become local unless somebody prefers UTC.
const local = new Intl.DateTimeFormat(undefined, {
  year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit',
});
function ago(seconds) {
  const ahead = seconds < 0;
  const s = Math.abs(Math.round(seconds));
  const text = s < 60 ? `${s} s` : s < 3600 ? `${Math.floor(s / 60)} min`
    : s < 172800 ? `${Math.floor(s / 3600)} h` : `${Math.floor(s / 86400)} d`;
  return ahead ? `in ${text}` : `${text} ago`;
}
function times(within = document) {
  for (const time of $$('time[data-when]', within)) {
    const at = new Date(time.dateTime);
    if (time.dataset.when === 'ago') {
      const text = ago((Date.now() - at) / 1000);
      if (time.textContent !== text) time.textContent = text;
      if (root.dataset.zone !== 'utc') time.title = local.format(at);
    } else if (root.dataset.zone !== 'utc') {
      const text = local.format(at);
      if (time.textContent !== text) time.textContent = text;
    }
  }
}
times();
setInterval(times, 1000);
document.addEventListener('htmx:after:swap', () => times());

// Every change that htmx sends carries the token.
document.addEventListener('htmx:config:request', event => {
  event.detail.ctx.request.headers['X-CSRF-Token'] = csrf();
});

document.addEventListener('click', async event => {
  const copy = event.target.closest('[data-copy]');
  if (copy) {
    const text = $(copy.dataset.copy)?.textContent ?? '';
    try {
      await navigator.clipboard.writeText(text.trim());
      copy.textContent = 'Copied';
    } catch {
      copy.textContent = 'Press Ctrl+C';
      getSelection().selectAllChildren($(copy.dataset.copy));
    }
    setTimeout(() => { copy.textContent = 'Copy'; }, 1600);
  }
  if (event.target.closest('#menu')) {
    const open = $('.side').classList.toggle('open');
    $('#menu').setAttribute('aria-expanded', String(open));
  }
  if (event.target.closest('[data-opens]')) {
    $(event.target.closest('[data-opens]').dataset.opens).showModal();
  }
  for (const ask of $$('details.ask[open]')) {
    if (!ask.contains(event.target)) ask.open = false;
  }
});

// A slider and its number are one.
document.addEventListener('input', event => {
  const twin = event.target.dataset?.twin && document.getElementById(event.target.dataset.twin);
  if (twin) twin.value = event.target.value;
  if (event.target.id === 'pick-all') {
    for (const box of $$('input[name="id"]')) box.checked = event.target.checked;
  }
  if (event.target.name === 'id' || event.target.id === 'pick-all') {
    const picked = $$('input[name="id"]:checked').length;
    const said = $('#picked');
    if (said) said.textContent = picked === 0 ? 'None selected' : `${picked} selected`;
  }
});

// Files by drag and drop, with progress. They go to this server, which checks and keeps them.
function upload(drop, file) {
  const said = $('.said', drop);
  const bar = $('progress', drop);
  const request = new XMLHttpRequest();
  const query = new URLSearchParams({ name: file.name, type: file.type, size: String(file.size) });
  bar.hidden = false;
  bar.value = 0;
  said.textContent = `Uploading ${file.name} ...`;
  request.upload.onprogress = event => { bar.value = event.loaded / Math.max(1, event.total); };
  request.onload = () => {
    bar.hidden = true;
    let answer = {};
    try { answer = JSON.parse(request.responseText); } catch { /* answered below */ }
    if (request.status === 201) {
      $('input[type="hidden"]', drop).value = answer.id;
      said.textContent = `${file.name} is here.`;
      $('input[type="hidden"]', drop).dispatchEvent(new Event('change', { bubbles: true }));
    } else {
      said.textContent = answer.detail || 'The file could not be taken. Try again.';
    }
  };
  request.onerror = () => { bar.hidden = true; said.textContent = 'The connection was lost. Try again.'; };
  request.open('PUT', `${base}/console/uploads?${query}`);
  request.setRequestHeader('X-CSRF-Token', csrf());
  request.setRequestHeader('Content-Type', file.type || 'application/octet-stream');
  request.send(file);
}
for (const drop of $$('.drop')) {
  $('input[type="file"]', drop).addEventListener('change', event => {
    if (event.target.files[0]) upload(drop, event.target.files[0]);
  });
  drop.addEventListener('dragover', event => { event.preventDefault(); drop.classList.add('over'); });
  drop.addEventListener('dragleave', () => drop.classList.remove('over'));
  drop.addEventListener('drop', event => {
    event.preventDefault();
    drop.classList.remove('over');
    if (event.dataTransfer.files[0]) upload(drop, event.dataTransfer.files[0]);
  });
}

// A text file that is taken fills the field beside it; it goes nowhere before the form does.
for (const taken of $$('input[type="file"][data-fills]')) {
  taken.addEventListener('change', async () => {
    const file = taken.files[0];
    if (!file) return;
    $(taken.dataset.fills).value = await file.text();
    $(taken.dataset.names).value = file.name;
  });
}

// A form is sent once. Whoever comes back to the page may send it again.
document.addEventListener('submit', event => {
  const form = event.target;
  if (form.method !== 'post') return;
  if (form.dataset.sent || (form.closest('.review') && $('.review form[data-sent]'))) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = 'yes';
});
addEventListener('pageshow', () => {
  for (const form of $$('form[data-sent]')) delete form.dataset.sent;
  unseen();
});

// Review by keyboard: j and k move, a approves, x asks for a reason and Enter declines. After a
// decision the next one is there, but nobody can have seen it yet: no key decides about it before it
// has been shown for a moment in which no key was pressed or held.
const SEEN_AFTER = 1000;
const MOST_WAITS = 10; // For pictures that never come.
const desk = $('.review');
let seeing = 0;
function unseen(waits = 0) {
  if (!desk) return;
  clearTimeout(seeing);
  delete desk.dataset.ready;
  seeing = setTimeout(() => {
    const loading = $$('.item[aria-current] img', desk).some(picture => !picture.complete);
    if (document.hidden) unseen();
    else if (loading && waits < MOST_WAITS) unseen(waits + 1);
    else desk.dataset.ready = 'yes';
  }, SEEN_AFTER);
}
function isOnScreen(item) {
  const { top, bottom } = item.getBoundingClientRect();
  return top < innerHeight && bottom > 0 && (bottom <= innerHeight || top <= 0);
}
document.addEventListener('keydown', event => {
  const reason = event.target.closest('.review input[name="reason"]');
  if (!reason) return;
  if (event.key === 'Enter' && !desk.dataset.ready) event.preventDefault();
  if (event.key === 'Escape') reason.closest('.item').focus({ preventScroll: true });
});
const next = $('.review .item[aria-current]');
if (next?.previousElementSibling) {
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: 'nearest' });
}
function review(key) {
  const items = $$('.review .item');
  if (items.length === 0) return false;
  let at = items.findIndex(item => item.hasAttribute('aria-current'));
  if (key === 'a' || key === 'x') {
    if ($('.review form[data-sent]')) return true;
    const item = items[Math.max(0, at)];
    if (key === 'x') $('form.decline input[name="reason"]', item)?.focus();
    else if (desk.dataset.ready) $('form.approve', item)?.requestSubmit();
    return true;
  }
  if (key === 'j' || key === 'k') {
    items[at]?.removeAttribute('aria-current');
    at = Math.min(items.length - 1, Math.max(0, at + (key === 'j' ? 1 : -1)));
    items[at].setAttribute('aria-current', 'true');
    if (!isOnScreen(items[at])) unseen();
    items[at].focus({ preventScroll: true });
    items[at].scrollIntoView({ block: 'nearest' });
    return true;
  }
  return false;
}

// Shortcuts: one key, or g and another one. After g no other key does what it does alone, however
// late it comes; while a dialog is open none does anything.
let before = '';
document.addEventListener('keydown', event => {
  const typing = event.target.closest('input, textarea, select, [contenteditable]');
  if (!typing && desk && !desk.dataset.ready) unseen();
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if ($('dialog[open]') || ['Shift', 'CapsLock'].includes(event.key)) return;
  if (before === 'g') {
    const link = $(`[data-key="g ${CSS.escape(event.key)}"]`);
    before = '';
    if (link) { event.preventDefault(); location.href = link.href; }
    return;
  }
  if (event.key === 'g') {
    before = 'g';
  } else if (event.key === '?') {
    event.preventDefault();
    $('#shortcuts')?.showModal();
  } else if (event.key === '/') {
    const search = $('input[type="search"]');
    if (search) { event.preventDefault(); search.focus(); }
  } else if (review(event.key)) {
    event.preventDefault();
  }
});
