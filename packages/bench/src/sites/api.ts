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

/** The built HTTP process on a database, without workers. */
export type Api = {
  pid: number
  url: string
  socketUrl: string
  /** A Cookie header with a gate pass. */
  cookie: string
}

/** Additional settings of a site. */
export type Settings = Record<string, string>

/** The settings of a site in production. The others keep their defaults. */
export const productionSettings = {
  NODE_ENV: 'production',
  SITE_SECRET: 'a secret that only this measurement knows',
  SITE_PASSWORD: password,
  LOG_LEVEL: 'warn',
  // All sockets come from one address.
  LIVE_SOCKETS_PER_NETWORK: '1000000',
}

/** Starts the built API as in production, without workers, and waits until it is ready. */
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
  // Expected at the end, when the process is stopped.
  failure.catch(() => {})
  await Promise.race([waitUntilReady(url), failure])
  return {
    pid: child.pid,
    url,
    socketUrl: `${url.replace('http', 'ws')}/socket`,
    cookie: await passGate(url, password),
  }
}

async function waitUntilReady(url: string) {
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
