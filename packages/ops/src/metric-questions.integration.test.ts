import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@tidings/launcher/free-port'
import { repositoryRoot } from '@tidings/launcher/repository'
import { type Site, startSite } from '@tidings/launcher/site'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { selectorsIn } from './expressions.ts'

/** The questions of an operator, each with the metrics that answer it and who exports them. */
const questions = [
  ['Which requests fail, and which are slow?', 'api', ['tidings_http_request_seconds']],
  ['What is refused, and why?', 'both', ['tidings_http_refusals_total']],
  ['Does the cache work?', 'api', ['tidings_cache_reads_total']],
  ['How many sockets are open?', 'api', ['tidings_live_sockets', 'tidings_desk_sockets']],
  [
    'How are memory, processor and event loop?',
    'both',
    [
      'tidings_process_resident_memory_bytes',
      'tidings_process_cpu_seconds_total',
      'tidings_nodejs_eventloop_lag_p99_seconds',
    ],
  ],
  [
    'Was the 10AM edition published?',
    'both',
    [
      'tidings_edition_slot_status{slot="10AM",status="published"}',
      'tidings_edition_slot_due_timestamp_seconds{slot="10AM"}',
      'tidings_editions_overdue',
      'tidings_editions_oldest_overdue_seconds',
    ],
  ],
  ['Is an edition held?', 'both', ['tidings_editions_held', 'tidings_delivery_runs{state="held"}']],
  ['Is sending held?', 'both', ['tidings_sending_held{reason="held"}']],
  [
    'Which deliveries are in which state, and how long has the oldest been waiting?',
    'both',
    [
      'tidings_deliveries{method="memo_email",state="planned"}',
      'tidings_delivery_oldest_waiting_seconds{method="memo_email"}',
      'tidings_delivery_server_unavailable_seconds{transport="email"}',
    ],
  ],
  [
    'How many emails a minute, and which domains refuse us?',
    'both',
    [
      'tidings_delivery_messages_total{transport="email",outcome="accepted"}',
      'tidings_account_emails_total{outcome="accepted"}',
      'tidings_delivery_domain_refusals{domain="other"}',
    ],
  ],
  [
    'How old is the outbox?',
    'both',
    ['tidings_outbox_oldest_email_seconds', 'tidings_outbox_emails_waiting'],
  ],
  [
    'How deep are the queues, and how old is the oldest job?',
    'both',
    [
      'tidings_queue_jobs{queue="mail.send-email",state="waiting"}',
      'tidings_queue_oldest_job_seconds{queue="mail.send-email"}',
    ],
  ],
  ['Are there dead jobs?', 'both', ['tidings_queue_jobs{queue="mail.send-email",state="dead"}']],
  [
    'Is the pool used up, and does a query wait for it?',
    'both',
    [
      'tidings_database_pool_connections{state="in_use"}',
      'tidings_database_pool_max_connections',
      'tidings_database_pool_waiting',
      'tidings_database_up',
    ],
  ],
  ['Does the listener hear?', 'api', ['tidings_database_listener_connected']],
  [
    'How old is the oldest unprocessed Stripe event?',
    'both',
    ['tidings_payment_oldest_unprocessed_event_seconds'],
  ],
  [
    'Does a refund wait for a person?',
    'both',
    ['tidings_payment_refunds_waiting{status="failed"}', 'tidings_payment_refunds_waiting{status="manual"}'],
  ],
  ['How much of the disk is free?', 'both', ['tidings_data_dir_free_bytes', 'tidings_data_dir_size_bytes']],
  ['Which version runs?', 'both', ['tidings_build_info']],
] as const

const authorization = 'Bearer metrics-token'
let site: Site
let workerUrl = ''
let exposed = { api: '', worker: '' }

async function read(url: string): Promise<string> {
  return await (await fetch(`${url}/metrics`, { headers: { authorization } })).text()
}

beforeAll(async () => {
  const port = await freePort()
  const env = { WORKER_METRICS_PORT: String(port), METRICS_TOKEN: 'metrics-token' }
  site = await startSite({ seed: false, postgresSettings: { fsync: 'off' }, env })
  workerUrl = `http://127.0.0.1:${port}`
  await fetch(`${site.url}/edition/prod/11-20-26-10AM`)
  // The worker starts beside the API.
  await vi.waitFor(() => fetch(`${workerUrl}/metrics`), { timeout: 60_000, interval: 50 })
  exposed = { api: await read(site.url), worker: await read(workerUrl) }
}, 120_000)

afterAll(() => site.stop())

/** Returns whether a metric has a value, with these labels if it names some. */
function isExposed(text: string, metric: string): boolean {
  return text.split('\n').some((line) => {
    const rest = line.startsWith(metric) ? line.slice(metric.length) : null
    return rest !== null && /^(_count)?(\{.*\})? \S+$/.test(rest)
  })
}

describe('the metrics of a running API and worker', () => {
  test('answer 19 questions', () => {
    expect(questions).toHaveLength(19)
  })

  test.each(questions)('answer: %s', (_question, by, metrics) => {
    for (const metric of metrics) {
      expect(isExposed(exposed.api, metric), `${metric} of the API`).toBe(true)
      if (by === 'both') expect(isExposed(exposed.worker, metric), `${metric} of the worker`).toBe(true)
    }
  })

  test.each([
    ['.github/OPERATING.md', 30],
    ['packages/ops/alerts/tidings.rules.yml', 12],
  ])('include every metric that %s names', async (file, least) => {
    const page = await readFile(join(repositoryRoot, file), 'utf8')
    const types = new Set(
      [...`${exposed.api}${exposed.worker}`.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name),
    )
    const named = [...page.matchAll(/tidings_[a-z0-9_]+/g)].map(([name]) => name.replace(/_count$/, ''))
    expect(named.length).toBeGreaterThan(least)
    expect(named.filter((name) => !types.has(name) && name !== 'tidings_new')).toEqual([])
  })

  test('need the token at both, and say at the worker only that it runs without it', async () => {
    for (const url of [site.url, workerUrl]) expect((await fetch(`${url}/metrics`)).status).toBe(401)
    const health = await fetch(`${workerUrl}/healthz`)
    expect([health.status, await health.json()]).toMatchObject([200, { status: 'ok' }])
    expect((await fetch(`${workerUrl}/member`)).status).toBe(404)
  })
})

/** Labels that Prometheus adds to every series. A metric with one of its own would arrive as `exported_job`. */
const ownLabels = ['job', 'instance']

/** Returns the labels of each exposed metric, by name: none while it has no series. */
function labelsByName(): Map<string, Set<string>> {
  const labels = new Map<string, Set<string>>([['up', new Set()]])
  for (const [, name = ''] of `${exposed.api}${exposed.worker}`.matchAll(/^# TYPE (\S+)/gm))
    labels.set(name, new Set())
  const lines = `${exposed.api}${exposed.worker}`.split('\n').filter((line) => /^tidings_/.test(line))
  for (const line of lines) {
    const [, name = '', inside = ''] = /^(\w+)(?:\{(.*)\})? \S+$/.exec(line) ?? []
    const known = labels.get(name) ?? new Set()
    for (const [, label = ''] of inside.matchAll(/(\w+)="/g)) known.add(label)
    labels.set(name, known)
  }
  return labels
}

const ruleFile = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
})
const dashboardFile = z.object({
  panels: z.array(
    z.object({
      id: z.int(),
      title: z.string(),
      targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).default([]),
    }),
  ),
})

async function readOps(file: string): Promise<string> {
  return await readFile(join(repositoryRoot, 'packages/ops', file), 'utf8')
}

/** Returns the queries of alerts and dashboard, each with the labels that its text shows. */
async function queries(): Promise<{ name: string; query: string; shown: string[] }[]> {
  const { groups } = ruleFile.parse(parse(await readOps('alerts/tidings.rules.yml')))
  const alerts = groups.flatMap(({ rules }) =>
    rules.map(({ alert, expr }) => ({ name: alert, query: expr, shown: [] })),
  )
  const { panels } = dashboardFile.parse(JSON.parse(await readOps('dashboards/tidings.json')))
  const charts = panels.flatMap(({ title, targets }) =>
    targets.map(({ expr, legendFormat }) => ({
      name: title,
      query: expr,
      shown: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label),
    })),
  )
  return [...alerts, ...charts]
}

describe('the queries of the alerts and the dashboard', () => {
  test('name metrics that are exposed, with labels that they have', async () => {
    const labels = labelsByName()
    const all = await queries()
    expect(all.length).toBeGreaterThan(45)
    for (const { name, query, shown } of all) {
      const selectors = selectorsIn(query)
      expect(selectors.length, name).toBeGreaterThan(0)
      for (const selector of selectors) {
        const known = labels.get(selector.metric)
        expect(known, `${name}: ${selector.metric}`).toBeDefined()
        const unknown = [...selector.labels, ...shown].filter(
          (label) => !(known?.has(label) || ownLabels.includes(label)),
        )
        expect(unknown, `${name}: ${selector.metric}`).toEqual([])
      }
    }
  })

  test('find no metric whose label Prometheus replaces', () => {
    const replaced = [...labelsByName()].filter(([, labels]) => ownLabels.some((label) => labels.has(label)))
    expect(replaced.map(([name]) => name)).toEqual([])
  })

  test('fill panels with different ids', async () => {
    const { panels } = dashboardFile.parse(JSON.parse(await readOps('dashboards/tidings.json')))
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  })
})

describe('the runbook', () => {
  test('has an entry for each alert, and the alerts lead to it', async () => {
    const rules = await readOps('alerts/tidings.rules.yml')
    const page = await readOps('RUNBOOK.md')
    const alerts = [...rules.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = '']) => name)
    expect(alerts).toHaveLength(12)
    expect([...page.matchAll(/^## (\w+)$/gm)].map(([, name]) => name)).toEqual(alerts)
    const links = [...rules.matchAll(/RUNBOOK\.md#(\w+)$/gm)].map(([, anchor]) => anchor)
    expect(links).toEqual(alerts.map((name) => name.toLowerCase()))
    for (const part of ['Meaning', 'First look', 'Command', 'Wake'])
      expect(page.split(`**${part}:**`), part).toHaveLength(13)
  })
})
