// node role.mjs PEER create | submit CALLERS WARM_MS MEASURE_MS | pace SAMPLES | work
//
// The same words as the Java peers speak; PEER_URL names the database, PEER_REDIS_PORT the Redis.
import { createInterface } from 'node:readline'

const filling = 'a photo of a lighthouse on a cliff at dawn, soft light, long exposure, wide angle, film,' +
  ' detailed clouds, seed 123456789, thirty steps, upscaled twice, no people, no text'
const micros = () => Math.round((performance.timeOrigin + performance.now()) * 1000)
const payload = () => ({ sent: micros(), tenant: 'acme', size: '1024x1024', prompt: filling })
const rest = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds))
const url = process.env.PEER_URL
const queue = 'job'

const peers = {
  // Large batches, which suit short jobs best; a notification wakes an idle worker.
  'pg-boss': async create => {
    const { PgBoss } = await import('pg-boss')
    const boss = new PgBoss({ connectionString: url, max: 40, useListenNotify: true })
    boss.on('error', console.error)
    await boss.start()
    if (create) await boss.createQueue(queue, { notify: true })
    return {
      submit: data => boss.send(queue, data),
      work: handle => boss.work(queue, {
        batchSize: 1000,
        localConcurrency: 2,
        burstWhenBatchFull: true,
        pollingIntervalSeconds: 0.5,
        notifyPollingIntervalSeconds: 0.5
      }, async jobs => jobs.forEach(job => handle(job.data)))
    }
  },

  // A local queue and completions in batches.
  'graphile-worker': async () => {
    const { Logger, makeWorkerUtils, run } = await import('graphile-worker')
    const { default: pg } = await import('pg')
    const logger = new Logger(() => (level, message) => level === 'error' && console.error(message))
    const pgPool = new pg.Pool({ connectionString: url, max: 40 })
    pgPool.on('error', console.error)
    pgPool.on('connect', client => client.on('error', console.error))
    const utils = await makeWorkerUtils({ pgPool, logger })
    await utils.migrate()
    return {
      submit: data => utils.addJob(queue, data),
      work: handle => run({
        pgPool,
        logger,
        noHandleSignals: true,
        taskList: { [queue]: async data => handle(data) },
        preset: {
          worker: {
            concurrentJobs: 24,
            maxPoolSize: 40,
            localQueue: { size: 1000 },
            completeJobBatchDelay: 0,
            failJobBatchDelay: 0
          }
        }
      })
    }
  },

  bullmq: async () => {
    const { Queue, Worker } = await import('bullmq')
    const connection = { host: '127.0.0.1', port: Number(process.env.PEER_REDIS_PORT), maxRetriesPerRequest: null }
    const jobs = new Queue(queue, { connection })
    await jobs.waitUntilReady()
    return {
      submit: data => jobs.add(queue, data),
      work: async handle => {
        const worker = new Worker(queue, async job => handle(job.data), { connection, concurrency: 50 })
        worker.on('error', console.error)
        await worker.waitUntilReady()
      }
    }
  }
}

const [name, role, ...numbers] = process.argv.slice(2)
const peer = await peers[name](role === 'create')

if (role === 'submit') {
  const [callers, warm, measure] = numbers.map(Number)
  let all = 0
  const began = micros()
  const end = performance.now() + warm + measure
  const loop = async () => { while (performance.now() < end) { await peer.submit(payload()); all++ } }
  const loops = Array.from({ length: callers }, loop)
  await rest(warm)
  const before = all
  const from = performance.now()
  await rest(measure)
  const measured = all - before
  const seconds = (performance.now() - from) / 1000
  await Promise.all(loops)
  console.log(`${all} ${measured} ${seconds} ${began}`)
} else if (role === 'pace') {
  for (let i = 0; i < Number(numbers[0]); i++) {
    await peer.submit(payload())
    await rest(20 + (i * 37) % 160)
  }
  console.log(numbers[0])
} else if (role === 'work') {
  const waits = []
  await peer.work(data => waits.push(micros() - data.sent))
  console.log('ready')
  for await (const line of createInterface({ input: process.stdin })) {
    const sorted = line === 'count' ? waits : waits.toSorted((a, b) => a - b)
    console.log(line === 'count' ? waits.length : (sorted[Math.floor(sorted.length / 2)] ?? 0) / 1000)
  }
}
process.exit(0)
