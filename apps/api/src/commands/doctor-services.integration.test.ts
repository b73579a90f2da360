import { writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import path from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createNodeDnsLookup } from '#integrations/dns/node-dns-lookup.ts'
import { paymentTest } from '#test/fixtures.ts'
import { type DnsName, startDnsServer } from '#test/mail/dns-server.ts'
import { runInProcess } from '#test/sites/run-in-process.ts'
import { startPhones } from '#test/sms/phones.ts'
import type { Config } from '../config/config.ts'
import { serviceChecks } from './check-services.ts'
import { runChecks } from './doctor/check.ts'
import { siteChecks } from './doctor/site-checks.ts'

const limitMs = 10_000
const findingsSchema = z.object({
  checks: z.array(z.object({ name: z.string(), level: z.string(), text: z.string() })),
})
/** A sentence that tells the operator what to do. */
const remedy =
  /(?:^|[.:,] |and )(?:Check|Create|Do|Free|Let|Lower|Put|Raise|Restore|Run|Set|Try|Turn|Upgrade)\b/i

const it = paymentTest().extend(
  'examine',
  { scope: 'file' },
  ({ site }) =>
    async (change: Partial<Config>) => {
      const { printed } = await runInProcess(['doctor', '--json'], { ...site.context.config, ...change })
      const { checks } = findingsSchema.parse(JSON.parse(printed))
      for (const { text } of checks.filter(({ level }) => level === 'failed')) expect(text).toMatch(remedy)
      return (name: string) => checks.find((each) => each.name === name)
    },
)

/** Starts a server that replies like this to everything. */
async function startReplying(reply: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_request, response) => reply(response))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`
}

async function twilioOf(
  config: Config,
  change: { authToken?: string; sid?: string } = {},
): Promise<Config['sms']> {
  const phones = await startPhones()
  onTestFinished(() => phones.stop())
  const { TWILIO_ACCOUNT_SID: sid, TWILIO_AUTH_TOKEN: authToken, TWILIO_API_URL: url } = phones.env
  return { ...config.sms, account: { ...config.sms.account, sid, authToken, ...change }, apiUrl: url }
}

describe('doctor at Twilio', () => {
  it('says that the account is right', async ({ site, examine }) => {
    const found = await examine({ sms: await twilioOf(site.context.config) })
    expect(found('twilio')).toMatchObject({ level: 'ok', text: 'Twilio accepts the account and its token' })
  })

  it.for([{ authToken: 'another token' }, { sid: 'AC00000000000000000000000000000000' }])(
    'says which settings to replace for %j, without the token',
    async (change, { site, examine }) => {
      const found = await examine({ sms: await twilioOf(site.context.config, change) })
      const text = expect.stringMatching(
        /Twilio returned 40[134]\. Set TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN/,
      )
      expect(found('twilio')).toMatchObject({ level: 'failed', text })
      expect(found('twilio')?.text).not.toContain('another token')
    },
  )

  it('says when it fails, and why it can’t be reached', async ({ site, examine }) => {
    const sms = await twilioOf(site.context.config)
    const failing = await startReplying((response) => response.writeHead(503).end())
    expect((await examine({ sms: { ...sms, apiUrl: failing } }))('twilio')).toMatchObject({
      level: 'failed',
      text: 'Twilio returned 503. Try again later.',
    })
    const hangingUp = await startReplying((response) => void response.socket?.destroy())
    const { text = '' } = (await examine({ sms: { ...sms, apiUrl: hangingUp } }))('twilio') ?? {}
    expect(text).toMatch(/^Twilio can't be reached: .+\. Check the network and TWILIO_API_URL\.$/)
    expect(text).not.toContain('fetch failed')
  })
})

describe('doctor at Stripe', () => {
  it('names what is missing at the account, then that it is right', async ({ payments, examine }) => {
    expect((await examine({}))('stripe')?.text).toMatch(/No endpoint leads to .*'tidings payments check'/)
    const { site, controls } = payments
    const url = `${site.context.config.site.url.origin}/webhooks/stripe`
    await controls.changeAccount({
      webhookEndpoints: [{ url, status: 'enabled', enabledEvents: ['*'], apiVersion: null }],
      hostedPaymentMethodSave: 'always',
    })
    onTestFinished(() => controls.changeAccount({ webhookEndpoints: [] }))
    expect((await examine({}))('stripe')).toMatchObject({ level: 'ok' })
  })

  it('names the setting of a key that is refused, without the key, and of a server that fails', async ({
    payments,
    examine,
  }) => {
    const { config } = payments.site.context
    const { stripe } = config.payments
    if (stripe === null) throw new Error('The site has no account at Stripe.')
    const secretKey = 'sk_test_of_another_account'
    const refused = await examine({ payments: { ...config.payments, stripe: { ...stripe, secretKey } } })
    expect(refused('stripe')?.text).toMatch(/^The account at Stripe can't be read: .*Check STRIPE_SECRET_KEY/)
    expect(refused('stripe')?.text).not.toContain(secretKey)
    await payments.controls.addFault({ kind: 'server-error', match: 'GET /v1/account', times: 3 })
    expect((await examine({}))('stripe')?.text).toMatch(
      /Check STRIPE_SECRET_KEY, its permissions and the network/,
    )
    await payments.controls.clearFaults()
  })
})

describe('doctor at DNS', () => {
  it.for<[string, Record<string, DnsName>, RegExp]>([
    ['has nothing', {}, /^Not right: SPF of .*DMARC of .*Run 'tidings deliveries check'/],
    [
      'fails',
      { 'example.com': 'SERVFAIL', '_dmarc.example.com': 'SERVFAIL' },
      /^Not right: .*SPF of example\.com/,
    ],
  ])('says what to do if it %s', async ([, names, says], { site }) => {
    const { context } = site
    const dns = createNodeDnsLookup([await startDnsServer(names)])
    const mail = { ...context.config.mail, smtpUrl: 'smtp://192.0.2.7:25', from: 'Tidings <a@example.com>' }
    const [check] = serviceChecks(
      { ...context, smtpServers: [], config: { ...context.config, mail } },
      dns,
    ).filter(({ name }) => name === 'dns records')
    const [finding] = await runChecks(check === undefined ? [] : [check], limitMs)
    expect(finding).toMatchObject({ level: 'failed', text: expect.stringMatching(says) })
  })
})

describe('doctor at the disk', () => {
  it.for([
    [9.9, 'failed', /\(9 %\) are free for .*Free some, or move DATA_DIR/],
    [10, 'ok', /\(10 %\) are free for /],
  ] as const)('with %d of 100 GB says: %s', async ([free, level, says], { site }) => {
    const checks = siteChecks(site.context.config, async () => ({ freeBytes: free * 1e9, sizeBytes: 100e9 }))
    const [disk] = await runChecks(checks, limitMs)
    expect(disk).toMatchObject({ name: 'disk', level, text: expect.stringMatching(says) })
  })

  it('says what to do if DATA_DIR is a file', async ({ site, examine }) => {
    const dataDir = path.join(site.context.config.dataDir, 'a-file')
    await writeFile(dataDir, '')
    const found = await examine({ dataDir })
    expect(found('disk')?.text).toMatch(/^DATA_DIR can't be created: .*set DATA_DIR to another folder/)
    expect(found('media')?.level).toBe('failed')
  })
})
