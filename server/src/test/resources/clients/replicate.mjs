// A person's whole way with the client of Replicate: nothing in it knows that this is another server.
import assert from 'node:assert/strict';
import http from 'node:http';
import Replicate, { validateWebhook, parseProgressFromLogs } from 'replicate';

const { MILLRACE, PUBLIC, KEY, HOOK_PORT } = process.env;

// The server is known by an https name here, as it would be behind a proxy; this stands in for the proxy.
const through = async (url, init) => {
  const address = (to) => String(to).replace(PUBLIC, MILLRACE);
  const response = await fetch(address(url), { ...init, redirect: 'manual' });
  return response.status === 302 ? fetch(address(response.headers.get('location'))) : response;
};
const replicate = new Replicate({ auth: KEY, baseUrl: PUBLIC + '/replicate/v1', fetch: through });
const model = 'sketch/draft';
const fox = { prompt: 'a red fox' };
const step = (name) => console.log('  replicate:', name);

step('account, models');
assert.equal((await replicate.accounts.current()).type, 'organization');
const described = await replicate.models.get('sketch', 'draft');
assert.equal(described.latest_version.openapi_schema.components.schemas.Input.required[0], 'prompt');
assert.equal((await replicate.models.versions.list('sketch', 'draft')).results[0].id, described.latest_version.id);
assert.ok((await replicate.models.list()).results.some((each) => each.name === 'poster'));

step('run, and fetch what came of it');
const file = await replicate.run(model, { input: fox });
const png = Buffer.from(await (await file.blob()).arrayBuffer());
assert.equal(png.subarray(1, 4).toString(), 'PNG');
const again = await through(file.url());
assert.equal(again.headers.get('content-type'), 'image/png');

step('run by version, polling, with progress');
const seen = [];
await replicate.run(`${model}:${described.latest_version.id}`,
  { input: { ...fox, delay_seconds: 1 }, wait: { mode: 'poll', interval: 50 } }, (each) => seen.push(each));
assert.equal(seen[0].status, 'starting');
assert.equal(seen.at(-1).status, 'succeeded');
assert.equal(parseProgressFromLogs(seen.at(-1)).percentage, 1);

step('fail');
await assert.rejects(replicate.run(model, { input: { ...fox, fail: 'permanent' } }), /Prediction failed: .*fail for good/);
const refused = await replicate.predictions.create({ model, input: { prompt: 7, colour: 'red' } }).catch((e) => e);
assert.equal(refused.response.status, 422);
assert.match(refused.message, /input\.prompt/);
assert.match(refused.message, /"title"/);
const unknown = await replicate.run('nobody/nothing', { input: {} }).catch((e) => e);
assert.equal(unknown.response.status, 404);
const stranger = new Replicate({ auth: 'r8_wrong', baseUrl: PUBLIC + '/replicate/v1', fetch: through });
assert.equal((await stranger.predictions.list().catch((e) => e)).response.status, 401);

step('create, wait, get, list');
const made = await replicate.predictions.create({ model, input: fox });
assert.equal(made.status, 'starting');
assert.equal((await replicate.wait(made, { interval: 50 })).status, 'succeeded');
const got = await replicate.predictions.get(made.id);
assert.deepEqual(Object.keys(got.urls).sort(), ['cancel', 'get', 'stream', 'web']);
assert.equal(got.input.prompt, 'a red fox');
assert.ok(got.metrics.predict_time >= 0);
const blocking = await replicate.predictions.create({ model, input: fox, wait: 30 });
assert.equal(blocking.status, 'succeeded');
const deployed = await replicate.deployments.predictions.create('sketch', 'draft', { input: fox, wait: true });
assert.equal(deployed.status, 'succeeded');
const ids = [];
for await (const page of replicate.paginate(replicate.predictions.list)) ids.push(...page.map((each) => each.id));
assert.equal(ids[0], deployed.id);
assert.equal(new Set(ids).size, ids.length);

step('cancel');
const slow = await replicate.predictions.create({ model, input: { ...fox, delay_seconds: 60 } });
assert.equal((await replicate.predictions.cancel(slow.id)).status, 'canceled');
assert.equal((await replicate.predictions.cancel(slow.id)).status, 'canceled');

step('stream, and come back to it');
const events = [];
for await (const event of replicate.stream(model, { input: { ...fox, delay_seconds: 1 } })) events.push(event);
assert.deepEqual(events.map((each) => each.event), ['output', 'done']);
assert.ok(String(events[0]).startsWith(PUBLIC + '/results/'));
const late = await (await through(got.urls.stream, { headers: { 'Last-Event-ID': '1' } })).text();
assert.ok(!late.includes('event: output') && late.includes('event: done'));
await assert.rejects(async () => {
  for await (const event of replicate.stream(model, { input: { ...fox, fail: 'permanent' } })) void event;
}, /fail for good/);

step('files');
const brought = await replicate.files.create(new File([png], 'fox.png', { type: 'image/png' }), { shoot: 'monday' });
assert.equal(brought.name, 'fox.png');
assert.equal(brought.content_type, 'image/png');
assert.equal(brought.size, png.length);
assert.deepEqual((await replicate.files.get(brought.id)).metadata, { shoot: 'monday' });
assert.ok((await replicate.files.list()).results.some((each) => each.id === brought.id));
const used = await replicate.predictions.create({ model: 'keep/picture', wait: true,
  input: { ...fox, image: new Blob([png], { type: 'image/png' }) } });
assert.equal(used.status, 'succeeded');
// Not by fileEncodingStrategy 'data-uri': in 1.4.0 that sends the client itself, with its key, as the input.
assert.equal((await replicate.predictions.create({ model: 'keep/picture', wait: true,
  input: { ...fox, image: 'data:image/png;base64,' + png.toString('base64') } })).status, 'succeeded');
assert.equal(await replicate.files.delete(brought.id), true);
assert.equal((await replicate.files.get(brought.id).catch((e) => e)).response.status, 404);

step('webhooks');
const heard = [];
let ring = () => {};
const hooks = http.createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    heard.push({ headers: request.headers, body });
    response.end();
    ring();
  });
}).listen(Number(HOOK_PORT), '127.0.0.1');
const secret = (await replicate.webhooks.default.secret.get()).key;
const told = await replicate.predictions.create({ model, input: { ...fox, delay_seconds: 1 },
  webhook: `http://127.0.0.1:${HOOK_PORT}/told`, webhook_events_filter: ['start', 'completed'] });
const ended = () => heard.find((each) => JSON.parse(each.body).status === 'succeeded');
while (heard.length < 2 || !ended()) await new Promise((done) => (ring = done));
for (const each of heard) {
  assert.equal(await validateWebhook({ headers: each.headers, body: each.body }, secret), true);
  assert.equal(await validateWebhook({ headers: each.headers, body: each.body + ' ' }, secret), false);
  assert.equal(JSON.parse(each.body).id, told.id);
}
assert.ok(JSON.parse(ended().body).output.startsWith(PUBLIC));
hooks.close();
hooks.closeAllConnections();
step('done');
