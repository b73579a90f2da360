import type { Socket } from 'node:net'
import { afterAll, describe, expect } from 'vitest'
import webpush from 'web-push'
import { createWebPushSender } from '#integrations/push/web-push-sender.ts'
import { createLogger } from '#platform/logger.ts'
import { holdPlan, testPlans } from '#test/factories/plans.ts'
import { addPushDevice, createRecipient } from '#test/factories/recipients.ts'
import { createTestMembers } from '#test/membership.ts'
import { startRawPushService } from '#test/push/raw-push-service.ts'
import { newSubscriptionKeys } from '#test/push/subscription-keys.ts'
import { guardTest } from '#test/sites/guarded-site.ts'
import { testNow } from '#test/test-app.ts'

type Reply = (socket: Socket, request: string) => void

let reply: Reply = () => undefined
const service = await startRawPushService((socket, request) => reply(socket, request))
afterAll(() => service.stop())

const lines: string[] = []
const logger = createLogger({ level: 'trace', process: 'test' }, { write: (line) => void lines.push(line) })
const keys = webpush.generateVAPIDKeys()
const vapid = { ...keys, subject: 'mailto:desk@example.com' }
const pushSender = createWebPushSender({
  vapid,
  serviceUrl: service.url,
  clock: { now: () => testNow },
  timeoutMs: 500,
})
const env = {
  VAPID_PUBLIC_KEY: keys.publicKey,
  VAPID_PRIVATE_KEY: keys.privateKey,
  PUSH_SERVICE_URL: service.url.origin,
}
const key = '11-20-26-A'
const secretPath = 'push/only-the-browser-knows-this'
const own = `${service.url.origin}/${secretPath}`

const it = guardTest({ env, overrides: { logger, pushSender } }).extend(
  'kept',
  { scope: 'file' },
  ({ delivery }) => {
    const { context } = delivery.site

    /** Returns every row of the database but those of the browsers, and everything that was logged or is measured. */
    async function everything(): Promise<string> {
      const { pool } = context.database
      const tables = await pool.query<{ name: string }>(
        `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
         WHERE schemaname NOT IN ('pg_catalog', 'information_schema') AND tablename <> 'push_device'`,
      )
      const texts = [...lines, await context.metrics.registry.metrics()]
      for (const { name } of tables.rows) {
        const { rows } = await pool.query<{ text: string }>(`SELECT line::text AS text FROM ${name} AS line`)
        texts.push(...rows.map(({ text }) => text))
      }
      return texts.join('\n')
    }

    return async ({ p256dh, auth }: { p256dh: string; auth: string }, shown: readonly string[] = []) => {
      const text = [await everything(), ...shown].join('\n')
      expect(text).toContain(context.config.site.appId)
      for (const secret of [secretPath, p256dh, auth]) expect(text.includes(secret), secret).toBe(false)
    }
  },
)

/** Replies with a status, and repeats the request in its text, headers and body. */
function echo(status: number): Reply {
  return (socket, request) => {
    const line = request.split('\r\n')[0] ?? ''
    const head = `HTTP/1.1 ${status} ${line}\r\nX-Request: ${line}\r\nRetry-After: ${line}`
    socket.end(
      `${head}\r\nContent-Length: ${Buffer.byteLength(request, 'latin1')}\r\n\r\n${request}`,
      'latin1',
    )
  }
}

type Sent = { what: string; reply: Reply; endpoint?: string; sql?: string; state: RegExp }

describe('the address and keys of a browser are in no log line, row, metric or reply', () => {
  it.for<Sent>([
    { what: '201', reply: echo(201), state: /^sent$/ },
    ...[404, 410].map((status) => ({ what: `${status}`, reply: echo(status), state: /^failed 4/ })),
    ...[400, 401, 403, 413].map((status) => ({ what: `${status}`, reply: echo(status), state: /^failed 4/ })),
    ...[429, 500, 503].map((status) => ({ what: `${status}`, reply: echo(status), state: /^planned [45]/ })),
    { what: 'a redirect', reply: echo(307), state: /^failed 307/ },
    { what: 'garbage', reply: (socket, request) => socket.end(request), state: /^planned HTTPParserError / },
    { what: 'nothing', reply: (socket) => socket.destroy(), state: /^planned [A-Z_]+ / },
    { what: 'no reply in time', reply: () => undefined, state: /^planned TimeoutError/ },
    {
      what: 'an address of this machine',
      reply: echo(201),
      endpoint: `https://127.0.0.1/${secretPath}`,
      state: /^failed EADDRESSREFUSED/,
    },
    {
      what: 'a name of this machine',
      reply: echo(201),
      endpoint: `https://localhost.localdomain/${secretPath}`,
      state: /^(failed EADDRESSREFUSED|planned E)/,
    },
    {
      what: 'a row that cannot be stored',
      reply: echo(201),
      sql: 'ALTER TABLE push_device ADD CONSTRAINT never_notified CHECK (last_run_id IS NULL)',
      state: /^planned database/,
    },
    {
      what: 'a row that cannot be removed',
      reply: echo(410),
      sql: `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no''; END';
        CREATE TRIGGER refuse BEFORE DELETE ON push_device FOR EACH ROW EXECUTE FUNCTION refuse()`,
      state: /^planned database/,
    },
  ])('when it is sent to: $what', async (sent, { delivery, kept }) => {
    const { site, desk } = delivery
    const { pool } = site.context.database
    const { memberId } = await createRecipient(site, { customFields: {} })
    const browser = newSubscriptionKeys()
    await addPushDevice(site, memberId, { endpoint: sent.endpoint ?? own, keys: browser })
    const run = await delivery.publish(key)
    if (sent.sql !== undefined) await pool.query(sent.sql)
    reply = sent.reply
    site.clock.pass(60_000)

    await site.context.pushSending.send(run?.id ?? 0)

    await pool.query('ALTER TABLE push_device DROP CONSTRAINT IF EXISTS never_notified')
    await pool.query('DROP FUNCTION IF EXISTS refuse CASCADE')
    expect(await delivery.stateOf(run, memberId)).toMatch(sent.state)
    const report = await desk.call('GET', `/editions/${key}/delivery-report`)
    const list = await desk.call('GET', `/editions/${key}/deliveries`)
    await kept(browser, [report.body, list.body])
  })
})

describe('what a browser says to be added is in no log line, row, metric or reply', () => {
  const long = 'x'.repeat(2_000)
  it.for<{ what: string; body: (keys: object) => unknown; sql?: string; status: number }>([
    { what: 'added', body: (keys) => ({ endpoint: own, keys }), status: 200 },
    {
      what: 'with an address that is refused',
      body: (keys) => ({ endpoint: `https://127.0.0.1/${secretPath}`, keys }),
      status: 400,
    },
    { what: 'with no address', body: (keys) => ({ endpoint: secretPath, keys }), status: 400 },
    { what: 'with a long address', body: (keys) => ({ endpoint: `${own}/${long}`, keys }), status: 400 },
    {
      what: 'with a key that is no text',
      body: (keys) => ({ endpoint: own, keys: { ...keys, auth: [own] } }),
      status: 400,
    },
    {
      what: 'with fields that no browser has',
      body: (keys) => ({ [own]: keys, endpoint: own, keys: { ...keys, [own]: own, auth: '' } }),
      status: 400,
    },
    {
      what: 'with a row that cannot be stored',
      body: (keys) => ({ endpoint: own, keys }),
      sql: 'ALTER TABLE push_device ADD CONSTRAINT never_added CHECK (id IS NULL)',
      status: 500,
    },
  ])('$what', async ({ body, sql, status }, { delivery, kept }) => {
    const { site } = delivery
    const { pool } = site.context.database
    const members = createTestMembers(site)
    const { memberId, headers } = await members.signUp()
    await holdPlan(site, memberId, testPlans.monthly)
    const browser = newSubscriptionKeys()
    if (sql !== undefined) await pool.query(sql)

    const added = await members.call('POST', '/member/push-devices', { headers, body: body(browser) })

    await pool.query('ALTER TABLE push_device DROP CONSTRAINT IF EXISTS never_added')
    expect(added.statusCode).toBe(status)
    const listed = await members.call('GET', '/member/push-devices', { headers })
    await kept(browser, [added.body, listed.body])
  })
})
