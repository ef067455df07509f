// A person's whole way with the client of OpenAI: nothing in it knows that this is another server.
import assert from 'node:assert/strict';
import OpenAI, { toFile } from 'openai';

const { MILLRACE, KEY, POOR } = process.env;
const openai = new OpenAI({ apiKey: KEY, baseURL: MILLRACE + '/openai/v1', maxRetries: 0 });
const step = (name) => console.log('  openai:', name);
const until = async (ask, good) => {
  for (;;) {
    const found = await ask();
    if (good(found)) return found;
    await new Promise((done) => setTimeout(done, 200));
  }
};

step('models');
const models = [];
for await (const model of openai.models.list()) models.push(model.id);
assert.ok(models.includes('sketch/poster') && models.includes('sketch/chat'));
assert.equal((await openai.models.retrieve('sketch/poster')).id, 'sketch/poster');
await assert.rejects(openai.models.retrieve('no/such'), (e) => e.status === 404 && e.code === 'model_not_found');

step('images');
const made = await openai.images.generate({ model: 'sketch/draft', prompt: 'a red fox' });
const png = Buffer.from(made.data[0].b64_json, 'base64');
assert.equal(png.subarray(1, 4).toString(), 'PNG');
const fetched = Buffer.from(await (await fetch(made.data[0].url)).arrayBuffer());
assert.ok(fetched.equals(png));
const several = await openai.images.generate({ model: 'sketch/series', prompt: 'two foxes', n: 2, size: '256x256',
  quality: 'high', response_format: 'url' });
assert.equal(several.data.length, 2);
assert.equal(several.data[0].b64_json, undefined);
await assert.rejects(openai.images.generate({ model: 'sketch/draft', prompt: 'x', n: 3 }),
  (e) => e instanceof OpenAI.BadRequestError && e.param === 'n');
await assert.rejects(openai.images.generate({ model: 'sketch/draft', prompt: 'x', colour: 'red' }), (e) => e.param === 'colour');
const edited = await openai.images.edit({ model: 'sketch/edit', prompt: 'a blue fox',
  image: await toFile(png, 'fox.png', { type: 'image/png' }) });
assert.ok(edited.data[0].url);

step('fail');
await assert.rejects(openai.images.generate({ model: 'sketch/draft', prompt: 'x', fail: 'permanent' }),
  (e) => e.status === 500 && e.code === 'job_failed');
await assert.rejects(openai.images.generate({ model: 'sketch/draft', prompt: 'x', fail: 'safety' }),
  (e) => e.status === 400 && e.code === 'content_policy_violation');
await assert.rejects(new OpenAI({ apiKey: 'sk-wrong', baseURL: openai.baseURL }).models.list(),
  (e) => e instanceof OpenAI.AuthenticationError && e.code === 'invalid_api_key');
await assert.rejects(new OpenAI({ apiKey: POOR, baseURL: openai.baseURL, maxRetries: 0 })
  .images.generate({ model: 'sketch/draft', prompt: 'x' }),
  (e) => e instanceof OpenAI.RateLimitError && e.code === 'insufficient_quota');

step('disconnect, and come back with the same key');
const headers = { 'Idempotency-Key': 'fox-' + Date.now() };
const wish = { model: 'sketch/draft', prompt: 'a slow fox', delay_seconds: 3 };
await assert.rejects(openai.images.generate(wish, { headers, timeout: 800 }), OpenAI.APIConnectionTimeoutError);
const kept = await openai.images.generate(wish, { headers });
assert.ok(kept.data[0].url);
assert.equal((await openai.images.generate(wish, { headers })).id, kept.id);

step('chat');
const messages = [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: 'Where is the fox?' }];
const told = await openai.chat.completions.create({ model: 'sketch/chat', messages, temperature: 0.2 });
assert.match(told.choices[0].message.content, /demo.*Where is the fox\?/s);
assert.ok(told.usage.total_tokens > 0);
let streamed = '';
let last;
for await (const chunk of await openai.chat.completions.create({ model: 'sketch/chat', messages, stream: true,
  stream_options: { include_usage: true } })) {
  streamed += chunk.choices[0]?.delta?.content ?? '';
  last = chunk;
}
assert.equal(streamed, told.choices[0].message.content);
assert.ok(last.usage.total_tokens > 0);
await assert.rejects(async () => {
  for await (const chunk of await openai.chat.completions.create({ model: 'sketch/chat', messages, stream: true,
    fail: 'permanent' })) void chunk;
}, /fail for good/);
const helper = openai.chat.completions.stream({ model: 'sketch/chat', messages });
assert.equal((await helper.finalChatCompletion()).choices[0].message.content, streamed);

step('speech');
const spoken = await openai.audio.speech.create({ model: 'sketch/speech', voice: 'alloy', input: 'The fox is here.' });
assert.equal(Buffer.from(await spoken.arrayBuffer()).subarray(0, 4).toString(), 'RIFF');

step('videos');
const video = await openai.videos.create({ model: 'sketch/draft', prompt: 'a running fox' });
assert.equal(video.object, 'video');
const ended = await until(() => openai.videos.retrieve(video.id), (found) => found.status === 'completed');
assert.equal(ended.progress, 100);
assert.equal(Buffer.from(await (await openai.videos.downloadContent(video.id)).arrayBuffer()).subarray(1, 4).toString(), 'PNG');
const videos = [];
for await (const each of openai.videos.list()) videos.push(each.id);
assert.deepEqual(videos, [video.id]);
assert.equal((await openai.videos.delete(video.id)).deleted, true);
await assert.rejects(openai.videos.retrieve(video.id), OpenAI.NotFoundError);

step('files and batches');
const line = (name, body, more = {}) => JSON.stringify({ custom_id: name, method: 'POST', url: '/v1/chat/completions', body, ...more });
const lines = [1, 2, 3].map((i) => line('q' + i, { model: 'sketch/chat', messages: [{ role: 'user', content: 'Question ' + i }] }));
lines.push(line('bad', { model: 'no/such', messages: [{ role: 'user', content: 'x' }] }));
const file = await openai.files.create({ purpose: 'batch', file: await toFile(Buffer.from(lines.join('\n')), 'questions.jsonl') });
assert.equal(file.filename, 'questions.jsonl');
assert.equal(await (await openai.files.content(file.id)).text(), lines.join('\n'));
const files = [];
for await (const each of openai.files.list({ purpose: 'batch' })) files.push(each.id);
assert.deepEqual(files, [file.id]);
const batch = await openai.batches.create({ input_file_id: file.id, endpoint: '/v1/chat/completions', completion_window: '24h',
  metadata: { night: '1' } });
const done = await until(() => openai.batches.retrieve(batch.id), (found) => found.status === 'completed');
assert.deepEqual(done.request_counts, { total: 4, completed: 3, failed: 1 });
const results = (await (await openai.files.content(done.output_file_id)).text()).trim().split('\n').map((each) => JSON.parse(each));
assert.deepEqual(results.map((each) => each.custom_id), ['q1', 'q2', 'q3']);
assert.match(results[1].response.body.choices[0].message.content, /Question 2/);
const errors = (await (await openai.files.content(done.error_file_id)).text()).trim().split('\n').map((each) => JSON.parse(each));
assert.equal(errors[0].response.status_code, 404);
assert.equal(errors[0].response.body.error.code, 'model_not_found');
const batches = [];
for await (const each of openai.batches.list()) batches.push(each.id);
assert.deepEqual(batches, [batch.id]);
const slow = await openai.files.create({ purpose: 'batch', file: await toFile(Buffer.from(
  line('slow', { model: 'sketch/chat', delay_seconds: 60, messages: [{ role: 'user', content: 'x' }] })), 'slow.jsonl') });
const stopped = await openai.batches.create({ input_file_id: slow.id, endpoint: '/v1/chat/completions', completion_window: '24h' });
await until(() => openai.batches.retrieve(stopped.id), (found) => found.status === 'in_progress');
await openai.batches.cancel(stopped.id);
assert.equal((await until(() => openai.batches.retrieve(stopped.id), (found) => found.status === 'cancelled')).request_counts.completed, 0);
const wrong = await openai.files.create({ purpose: 'batch', file: await toFile(Buffer.from('{"custom_id":1}\nnothing'), 'wrong.jsonl') });
const failed = await openai.batches.create({ input_file_id: wrong.id, endpoint: '/v1/chat/completions', completion_window: '24h' });
const mistaken = await until(() => openai.batches.retrieve(failed.id), (found) => found.status === 'failed');
assert.deepEqual(mistaken.errors.data.map((each) => each.line), [1, 2]);
assert.equal((await openai.files.delete(wrong.id)).deleted, true);
step('done');
