// What a page shows by itself is kept up to date here, and nowhere else. A part of the page that has
// the attribute data-live is drawn anew from that address: every so many seconds (data-every), or
// from an event stream, which is silent for no longer than data-silence seconds. When that fails,
// the page says so, and tries again: later each time, at a moment that others don't share, and not
// before the server wants it.
'use strict';

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30000;
const LONGEST_OBEYED = 600000; // Whatever a server or a proxy says, somebody is sitting here.
const ANSWER_WITHIN = 10000;
const STEADY = 5000; // A stream that stood for so long begins with short waits when it breaks.

const WHY = {
  unreachable: 'the server can’t be reached',
  silent: 'nothing comes from the server any more',
  cut: 'the connection was cut',
  busy: 'too many requests were made with this key',
  trouble: 'the server can’t answer at the moment',
  refused: 'the server refuses it',
  strange: 'something else answers in place of the server',
  out: 'you are signed out',
  gone: 'this is not there any more',
};

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit', minute: '2-digit', second: '2-digit',
  ...(root.dataset.zone === 'utc' && { timeZone: 'UTC', timeZoneName: 'short' }),
});

class Source {
  constructor(id, { live, every, silence }) {
    this.id = id;
    this.address = live;
    this.every = Number(every ?? 0) * 1000;
    this.silence = Number(silence ?? 0) * 1000;
    this.heardAt = Date.now(); // The page itself has just come.
    this.nextAt = this.every ? Date.now() + this.every : 0;
    this.tries = 0;
    this.trouble = '';
    this.open = false;
    this.over = !live;
    this.request = null;
  }

  element() {
    return document.getElementById(this.id);
  }

  /** Does what is due. */
  look() {
    if (this.over) return;
    const now = Date.now();
    if (this.request) {
      if (document.hidden && this.open) this.request.abort('hidden');
      else if (now - this.byteAt > this.patience) this.request.abort('silent');
    } else if (!document.hidden && now >= this.nextAt) {
      this.ask();
    }
  }

  async ask() {
    const request = new AbortController();
    this.request = request;
    this.byteAt = Date.now();
    this.patience = ANSWER_WITHIN;
    this.beganAt = 0;
    try {
      const answer = await fetch(this.address, {
        headers: { 'HX-Request': 'true', Accept: this.every ? 'text/html' : 'text/event-stream' },
        redirect: 'manual', cache: 'no-store', signal: request.signal,
      });
      const refusal = this.refusal(answer);
      if (refusal) {
        this.lose(refusal, answer.headers.get('Retry-After'));
        answer.body?.cancel().catch(() => {});
      } else if (this.every) {
        await this.take(await answer.text());
      } else {
        await this.follow(answer.body);
      }
    } catch (error) {
      if (request.signal.reason === 'hidden') this.nextAt = 0;
      else if (request.signal.aborted) this.lose('silent');
      else if (error instanceof TypeError) this.lose(this.open ? 'cut' : 'unreachable');
      else throw error;
    } finally {
      this.request = null;
      this.open = false;
      show();
    }
  }

  /** Why an answer is none; empty if it is one. */
  refusal(answer) {
    if (answer.status === 401 || answer.type === 'opaqueredirect') return 'out';
    if (answer.status === 404 || answer.status === 410) return 'gone';
    if (answer.status === 429) return 'busy';
    if (answer.status >= 500) return 'trouble';
    if (!answer.ok) return 'refused';
    const type = this.every ? 'text/html' : 'text/event-stream';
    return answer.headers.get('Content-Type')?.startsWith(type) ? '' : 'strange';
  }

  async take(text) {
    if (!text.includes(`id="${this.id}"`)) {
      this.lose('strange');
      return;
    }
    // A table that draws itself anew waits while somebody reads a question in it.
    if (!$('details.ask[open]', this.element())) await this.draw(text, 'outerMorph');
    this.hear();
    this.tries = 0;
    this.nextAt = Date.now() + this.every;
  }

  async follow(body) {
    this.open = true;
    this.beganAt = Date.now();
    this.patience = this.silence;
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      this.hear();
      const { done, value } = await reader.read();
      if (done) break;
      this.byteAt = Date.now();
      const events = (rest + value).split('\n\n');
      rest = events.pop();
      for (const event of events) await this.event(event.split('\n'));
    }
    if (!this.over) this.lose('cut');
  }

  async event(lines) {
    const of = name => lines.filter(line => line.startsWith(name))
      .map(line => line.slice(name.length).replace(/^ /, ''));
    if (of('event:')[0] === 'end') {
      this.over = true;
    } else if (of('data:').length > 0) {
      await this.draw(of('data:').join('\n'), 'innerMorph');
    }
  }

  async draw(text, swap) {
    const element = this.element();
    if (element) await htmx.swap({ sourceElement: element, target: element, swap, text });
  }

  /** What is shown now is true now. */
  hear() {
    // The forms of this page carry the token of a session that has ended.
    if (this.trouble === 'out') location.reload();
    this.heardAt = Date.now();
    this.trouble = '';
    show();
  }

  lose(trouble, retryAfter = null) {
    this.trouble = trouble;
    if (trouble === 'gone') this.over = true;
    if (this.beganAt && Date.now() - this.beganAt > STEADY) this.tries = 0;
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.tries);
    this.tries++;
    const jitter = wait * 0.3 * Math.random();
    this.nextAt = Date.now() + Math.max(wait, wanted(retryAfter)) + jitter;
    show();
  }
}

/** The milliseconds that a server asks for, as seconds or as a date. */
function wanted(retryAfter) {
  if (!retryAfter) return 0;
  const ms = /^\d+$/.test(retryAfter) ? retryAfter * 1000 : Date.parse(retryAfter) - Date.now();
  return Math.min(LONGEST_OBEYED, Math.max(0, ms || 0));
}

const sources = $$('[data-live]').map(element => new Source(element.id, element.dataset));

/** Says what isn't live, since when, why, and when it is tried again. */
function show() {
  const sign = $('#lost');
  if (!sign) return;
  const lost = sources.find(source => source.trouble);
  say($('#connection'), sources.some(source => source.over && !source.trouble) ? 'ended'
    : lost ? 'not live' : sources.some(source => source.open) ? 'live' : 'opening');
  sign.hidden = !lost;
  if (!lost) return;
  say($('time', sign), clock.format(lost.heardAt));
  say($('#lost-why'), WHY[lost.trouble]);
  const seconds = Math.max(0, Math.ceil((lost.nextAt - Date.now()) / 1000));
  say($('#lost-next'), lost.over ? '' : lost.request || seconds === 0 ? 'Trying again now.'
    : `Trying again in ${seconds} s.`);
  const out = lost.trouble === 'out';
  $('#lost-try').hidden = out || lost.over;
  $('#lost-in').hidden = !out;
  const here = location.pathname.slice(base.length) + location.search;
  $('#lost-in').href = `${base}/console/sign-in?to=${encodeURIComponent(here)}`;
}
function say(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

/** Whoever can do something about it needn't wait. */
function tryNow() {
  for (const source of sources) if (source.trouble) source.nextAt = 0;
  look();
}
function look() {
  sources.forEach(source => source.look());
  if (sources.some(source => source.trouble)) show();
}

$('#lost-try')?.addEventListener('click', tryNow);
addEventListener('online', tryNow);
document.addEventListener('visibilitychange', look);
document.addEventListener('htmx:after:request', event => {
  // A page without a live part hears of it when it asks for something else, such as a price.
  if (event.detail?.ctx?.response?.raw?.status !== 401) return;
  if (sources.length === 0) sources.push(new Source('', {}));
  sources[0].lose('out');
});
setInterval(look, 250);
look();
