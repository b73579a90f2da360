import { join } from 'node:path'
import { builtInAccount } from '@tidings/emulators/twilio/accounts'
import { freePort } from '@tidings/launcher/free-port'
import { repositoryRoot } from '@tidings/launcher/repository'
import type { Lifetime } from '../programs/lifetime.ts'
import type { Settings } from './api.ts'
import { startServer, waitUntilReady } from './server.ts'

const program = join(repositoryRoot, 'packages/emulators/src/bin.ts')
const secretKey = 'sk_test_tidings_local'

/** Signs the events of the measured sites. */
export const webhookSecret = 'whsec_bench'

/** The emulators of Stripe, of Twilio and of the mail server, in their own process. */
export type Emulators = {
  pid: number
  /** The settings of a site that uses them. */
  settings: Settings
  /** Calls Stripe's API with the fields of a form. Rejects when the call fails. */
  call(method: 'GET' | 'POST', path: string, fields?: Record<string, string>): Promise<{ id: string }>
  /** Delays the replies to all further reads by so many milliseconds. */
  delayReads(delayMs: number): Promise<void>
  /** Returns the number of calls to Stripe so far. */
  countCalls(): Promise<number>
  twilio: {
    /** The settings of a site that sends its texts here. */
    settings: Settings
    /** Returns when each call to Twilio began, in milliseconds. */
    callTimes(): Promise<number[]>
    /** Replies to each further text after so many milliseconds, and does not report what became of it. */
    delayReplies(delayMs: number): Promise<void>
  }
}

/** Starts the emulators, which send no events by themselves. */
export async function startEmulators(
  lifetime: Lifetime,
  { name, dataDir }: { name: string; dataDir: string },
): Promise<Emulators> {
  const [port, smtpPort, probePort] = [await freePort(), await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const probe = new URL('../probes/calls-probe.ts', import.meta.url)
  const server = startServer(lifetime, {
    name,
    dataDir,
    args: ['--import', probe.href, program],
    env: {
      SANDBOX_PORT: String(port),
      SMTP_PORT: String(smtpPort),
      BENCH_PROBE_PORT: String(probePort),
    },
  })
  await waitUntilReady(`${url}/inbox`, server)

  async function callTimes(path: string): Promise<number[]> {
    const reply = await fetch(`http://127.0.0.1:${probePort}${path}`, { headers: { Connection: 'close' } })
    return JSON.parse(await reply.text())
  }

  return {
    pid: server.pid,
    settings: {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: url,
      SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    },
    call: (method, path, fields) => call(`${url}/v1/${path}`, method, fields),
    delayReads: (delayMs) =>
      setFault('POST', `${url}/stripe/faults`, {
        kind: 'slow',
        match: 'GET /v1/',
        times: Number.MAX_SAFE_INTEGER,
        delayMs,
      }),
    countCalls: async () => (await callTimes('/v1/')).length,
    twilio: {
      settings: {
        TWILIO_ACCOUNT_SID: builtInAccount.sid,
        TWILIO_AUTH_TOKEN: builtInAccount.authToken,
        TWILIO_FROM: builtInAccount.number,
        TWILIO_API_URL: url,
      },
      callTimes: () => callTimes('/2010-04-01/'),
      delayReplies: (slowMs) => setFault('PUT', `${url}/twilio/faults`, { slowMs, callbacks: 'off' }),
    },
  }
}

async function setFault(method: 'POST' | 'PUT', url: string, fault: object): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  const { ok, status } = await fetch(url, { method, headers, body: JSON.stringify(fault) })
  if (!ok) throw new Error(`${url} responded with ${status}.`)
}

async function call(url: string, method: string, fields?: Record<string, string>): Promise<{ id: string }> {
  const reply = await fetch(url, {
    method,
    headers: { Authorization: `Bearer ${secretKey}` },
    ...(fields === undefined ? {} : { body: new URLSearchParams(fields) }),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`The Stripe emulator responded with ${reply.status}: ${text}`)
  return JSON.parse(text)
}
