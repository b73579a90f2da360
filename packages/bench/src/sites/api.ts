import { randomBytes } from 'node:crypto'
import { urlOf } from '@tidings/contracts/endpoint'
import { getReadiness } from '@tidings/contracts/ops'
import { liveFeed } from '@tidings/contracts/routes'
import { freePort } from '@tidings/launcher/free-port'
import { passGate } from '../calls/gate.ts'
import type { ProbeOptions } from '../probes/memory.ts'
import type { Lifetime } from '../programs/lifetime.ts'
import { builtApi } from './built.ts'
import { startServer, waitUntilReady } from './server.ts'

const password = 'bench'
/** Editors' key of the sites that are measured. */
export const editorKey = `tdk_${randomBytes(24).toString('hex')}`

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
  SITE_SECRET: randomBytes(32).toString('hex'),
  SITE_PASSWORD: password,
  LOG_LEVEL: 'warn',
  // Nothing sends requests to another process meanwhile.
  DRAIN_SECONDS: '0',
  // All sockets come from one address.
  LIVE_SOCKETS_PER_NETWORK: '1000000',
}

/** Starts the built API as in production, without workers, and waits until it is ready. */
export async function startApi(
  lifetime: Lifetime,
  options: {
    name: string
    databaseUrl: string
    dataDir: string
    /** By default a free one. */
    port?: number
    /** The main file; by default this build's. */
    program?: string
    probe?: ProbeOptions
    settings?: Settings
  },
): Promise<Api> {
  const port = options.port ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const server = startServer(lifetime, {
    name: options.name,
    dataDir: options.dataDir,
    args: [...(options.probe?.nodeArgs ?? []), options.program ?? builtApi],
    env: {
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
  })
  await waitUntilReady(url + urlOf(getReadiness), server)
  return {
    pid: server.pid,
    url,
    socketUrl: url.replace('http', 'ws') + urlOf(liveFeed),
    cookie: await passGate(url, password),
  }
}
