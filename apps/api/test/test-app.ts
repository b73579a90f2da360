import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { buildApp } from '../src/app.ts'
import { type Config, readConfig } from '../src/config/config.ts'
import { readSettings } from '../src/config/env.ts'
import type { ContextOverrides } from '../src/context/overrides.ts'
import { type Context, createContext } from '../src/context.ts'
import type { App } from '../src/http/app-type.ts'
import { gatePassCookie } from '../src/http/gate-pass.ts'
import { locationsFrom } from '../src/locations.ts'
import { createFixedClock } from '../src/platform/clock.ts'
import { createCapturedLog } from './captured-log.ts'
import { createFakeWebApp } from './fake-web-app.ts'
import { createQuickPasswords } from './quick-passwords.ts'
import { createTestDatabase } from './test-database.ts'

/** A Friday, 09:00 in Los Angeles: an hour before the first slot. */
export const testNow = new Date('2026-11-20T17:00:00.000Z')

export type TestApp = {
  app: App
  context: Context
  clock: ReturnType<typeof createFixedClock>
  /** A Cookie header with a gate pass. */
  pass: string
  /** An Authorization header of an editor with every scope. */
  editor: string
  /** Listens on a free port and returns the base URL. */
  listen(): Promise<string>
  close(): Promise<void>
}

export type TestAppOptions = {
  databaseUrl: string
  env?: Record<string, string>
  overrides?: ContextOverrides
  /** Whether this process handles jobs and receives notifications. True by default. */
  working?: boolean
}

export const testEditorKey = 'tdk_test000000000000000000000000000000000000'

/** Returns a test's configuration, based on the development defaults. */
function testConfig(databaseUrl: string, dataDir: string, webApp: string, env = {}): Config {
  const locations = {
    ...locationsFrom(new URL('../src/main.ts', import.meta.url).href),
    webApp,
    client: webApp,
  }
  return readConfig(
    readSettings({
      NODE_ENV: 'test',
      DATABASE_URL: databaseUrl,
      DATABASE_CONNECTIONS: '5',
      DATA_DIR: dataDir,
      EDITOR_API_KEY: testEditorKey,
      RATE_GATE_TRIES_PER_MINUTE: '1000',
      RATE_ENTRY_BOX_PER_MINUTE: '1000',
      RATE_DESK_FAILURES_PER_MINUTE: '1000',
      RATE_LOGINS_PER_MINUTE: '100000',
      RATE_SIGNUPS_PER_MINUTE: '100000',
      RATE_CODES_PER_MINUTE: '100000',
      RATE_CODE_TRIES_PER_MINUTE: '100000',
      RATE_COMMENTS_PER_MINUTE: '100000',
      RATE_PAYMENTS_PER_MINUTE: '100000',
      RATE_MEMBER_WRITES_PER_MINUTE: '100000',
      RATE_PROFILE_IMAGES_PER_HOUR: '100000',
      RATE_NETWORK_PROFILE_IMAGES_PER_HOUR: '100000',
      PASSWORD_MEMORY_KIB: '1024',
      PASSWORD_PASSES: '1',
      ...env,
    }),
    locations,
  )
}

/** Starts the whole API on a database, as the HTTP process does, with a fixed clock. */
export async function startTestApp({
  databaseUrl,
  env = {},
  overrides = {},
  working = true,
}: TestAppOptions): Promise<TestApp> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-test-'))
  const clock = createFixedClock(testNow)
  const log = createCapturedLog()
  const webApp = await createFakeWebApp(folder)
  const config = testConfig(databaseUrl, folder, webApp, env)
  const context = createContext(
    config,
    { name: 'api', worksJobs: working },
    { clock, logger: log.logger, passwords: createQuickPasswords(config.passwords), ...overrides },
  )
  const app = await buildApp(context)
  await context.ensureSiteApp()
  await context.startJobs()
  if (working) await context.startListening()
  await context.editorKeys.ensureFirstKey(config.secrets.editorApiKey)
  await app.ready()

  return {
    app,
    context,
    clock,
    pass: `${gatePassCookie}=${context.gatePass.issue()}`,
    editor: `Bearer ${testEditorKey}`,
    listen: () => app.listen({ port: 0, host: '127.0.0.1' }),
    async close() {
      await app.close()
      await context.close()
      await rm(folder, { recursive: true, force: true })
      log.expectNoErrors()
    },
  }
}

/** Starts the API for one test, by default on a new database. It is closed when the test ends. */
export async function useTestApp(options: Partial<TestAppOptions> = {}): Promise<TestApp> {
  const databaseUrl = options.databaseUrl ?? (await createTestDatabase())
  const testApp = await startTestApp({ ...options, databaseUrl })
  onTestFinished(() => testApp.close())
  return testApp
}
