import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startChild } from '@tidings/launcher/child'
import { freePort } from '@tidings/launcher/free-port'
import { environmentWithoutSettings } from '@tidings/launcher/settings'
import { passGate } from '../calls/gate.ts'
import type { Lifetime } from '../lifetime.ts'
import type { ProbeOptions } from '../probes/memory.ts'
import { builtApi } from './built.ts'

const password = 'bench'
const readyMs = 60_000

/** The built HTTP process, alone on a database. */
export type Api = {
  pid: number
  url: string
  socketUrl: string
  /** A Cookie header that has passed the gate. */
  cookie: string
}

/** Settings of one site alone, by their names. */
export type Settings = Record<string, string>

/** Settings of a site in production; the rest are the defaults that everybody has. */
export const productionSettings = {
  NODE_ENV: 'production',
  SITE_SECRET: 'a secret that only this measurement knows',
  SITE_PASSWORD: password,
  LOG_LEVEL: 'warn',
  // Everything comes from one address.
  LIVE_SOCKETS_PER_NETWORK: '1000000',
}

/** Starts the built API as in production, jobs left to workers that are not there, and waits until it is ready. */
export async function startApi(
  lifetime: Lifetime,
  options: { name: string; databaseUrl: string; dataDir: string; probe?: ProbeOptions; settings?: Settings },
): Promise<Api> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = startChild({
    name: options.name,
    args: [...(options.probe?.nodeArgs ?? []), builtApi],
    env: {
      ...environmentWithoutSettings(),
      ...productionSettings,
      HOST: '127.0.0.1',
      PORT: String(port),
      SITE_URL: url,
      DATABASE_URL: options.databaseUrl,
      DATA_DIR: options.dataDir,
      API_JOBS: 'off',
      ...options.probe?.env,
      ...options.settings,
    },
    logFile: join(options.dataDir, 'logs', `${options.name}.log`),
  })
  lifetime.atEnd(child.stop)
  const failure = child.exited.then(async (how) => {
    throw new Error(`The API ${how}. Its last lines:\n${await child.lastLines()}`)
  })
  // It ends by itself only when something is wrong, and in the end it is stopped.
  failure.catch(() => {})
  await Promise.race([becomesReady(url), failure])
  return {
    pid: child.pid,
    url,
    socketUrl: `${url.replace('http', 'ws')}/socket`,
    cookie: await passGate(url, password),
  }
}

async function becomesReady(url: string) {
  const deadline = Date.now() + readyMs
  for (;;) {
    const status = await fetch(`${url}/readyz`).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) return
    if (Date.now() > deadline) throw new Error(`The API at ${url} was not ready after a minute.`)
    await pause(50)
  }
}
