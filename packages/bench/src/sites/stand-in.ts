import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startChild } from '@tidings/launcher/child'
import { freePort } from '@tidings/launcher/free-port'
import { repositoryRoot } from '@tidings/launcher/repository'
import { environmentWithoutSettings } from '@tidings/launcher/settings'
import type { Lifetime } from '../lifetime.ts'
import type { Settings } from './api.ts'

const program = join(repositoryRoot, 'packages/emulators/src/bin.ts')
const secretKey = 'sk_test_tidings_local'
const readyMs = 30_000

/** What signs the events of the measured sites. */
export const webhookSecret = 'whsec_bench'

/** The stand-ins for Stripe and for the mail server, in a process of their own. */
export type StandIn = {
  /** What a site's processes are started with to pay there. */
  settings: Settings
  /** Calls Stripe's API: a form's fields by name; rejects when the call is refused. */
  call(method: 'GET' | 'POST', path: string, fields?: Record<string, string>): Promise<{ id: string }>
  /** How many calls it was sent so far, by anybody. */
  countCalls(): Promise<number>
}

/** Starts the stand-ins; they send no events of their own accord. */
export async function startStandIn(
  lifetime: Lifetime,
  { name, dataDir }: { name: string; dataDir: string },
): Promise<StandIn> {
  const [port, smtpPort, probePort] = [await freePort(), await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const probe = new URL('../probes/calls-probe.ts', import.meta.url)
  const child = startChild({
    name,
    args: ['--import', probe.href, program],
    env: {
      ...environmentWithoutSettings(),
      SANDBOX_PORT: String(port),
      SMTP_PORT: String(smtpPort),
      BENCH_PROBE_PORT: String(probePort),
    },
    logFile: join(dataDir, 'logs', `${name}.log`),
  })
  lifetime.atEnd(child.stop)
  const failure = child.exited.then(async (how) => {
    throw new Error(`The stand-ins ${how}. Their last lines:\n${await child.lastLines()}`)
  })
  // They end by themselves only when something is wrong, and in the end they are stopped.
  failure.catch(() => {})
  await Promise.race([becomesReady(`${url}/inbox`), failure])
  return {
    settings: {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: url,
      SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    },
    call: (method, path, fields) => call(`${url}/v1/${path}`, method, fields),
    async countCalls() {
      const reply = await fetch(`http://127.0.0.1:${probePort}/`, { headers: { Connection: 'close' } })
      return Number(await reply.text())
    },
  }
}

async function call(url: string, method: string, fields?: Record<string, string>): Promise<{ id: string }> {
  const reply = await fetch(url, {
    method,
    headers: { Authorization: `Bearer ${secretKey}` },
    ...(fields === undefined ? {} : { body: new URLSearchParams(fields) }),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`The stand-in for Stripe answered ${reply.status}: ${text}`)
  return JSON.parse(text)
}

async function becomesReady(url: string) {
  const deadline = performance.now() + readyMs
  for (;;) {
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    if (performance.now() > deadline) throw new Error(`${url} was not ready after half a minute.`)
    await pause(50)
  }
}
