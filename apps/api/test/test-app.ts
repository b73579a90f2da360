import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { buildApp } from '../src/app.ts'
import type { Config } from '../src/config/config.ts'
import type { ContextOverrides } from '../src/context/overrides.ts'
import { type Context, createContext } from '../src/context.ts'
import type { App } from '../src/http/app-type.ts'
import type { RateLimitName } from '../src/http/limits/rate-limits.ts'
import { gatePassCookie } from '../src/http/sessions/gate-pass.ts'
import { registerJobs } from '../src/jobs.ts'
import { createCapturedLog } from './captured-log.ts'
import { createFixedClock } from './factories/fixed-clock.ts'
import { createQuickPasswords } from './sign-in/quick-passwords.ts'
import { createFakeWebApp } from './sites/fake-web-app.ts'
import { testConfig, testEditorKey } from './test-config.ts'
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
  /** Sets a rate limit until the test ends. Earlier calls count: use another address or member. */
  limitCalls(name: RateLimitName, points: number): void
  /** Sets the limits of codes, and of emails with codes, until the test ends. */
  limitCodes(limits: Partial<Config['codeLimits']>): void
  limitMails(limits: Partial<Config['mailLimits']>): void
  /** Throws when an error was logged since the last call. */
  expectNoErrors(): void
  close(): Promise<void>
}

export type TestAppOptions = {
  databaseUrl: string
  env?: Record<string, string>
  overrides?: ContextOverrides
  /** Whether this process handles jobs. True by default. */
  working?: boolean
  /** Whether this process receives notifications. As `working` by default. */
  listening?: boolean
}

/** Lets the jobs that send emails do nothing: each takes longer than the request that enqueues it, and would be retried. */
function skipEmails({ codes, emails, invitations, deskSignIn }: Context): void {
  codes.send = async () => {}
  emails.send = async () => {}
  invitations.send = async () => {}
  deskSignIn.sendLink = async () => {}
}

/** Changes limits that the site reads at each call. */
function changeUntilTestEnds<Limits extends object>(limits: Limits, change: Partial<Limits>): void {
  const before = { ...limits }
  Object.assign(limits, change)
  onTestFinished(() => {
    Object.assign(limits, before)
  })
}

/** Starts the whole API on a database, as the HTTP process does, with a fixed clock. */
export async function startTestApp({
  databaseUrl,
  env = {},
  overrides = {},
  working = true,
  listening: isListening = working,
}: TestAppOptions): Promise<TestApp> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-test-'))
  const clock = createFixedClock(testNow)
  const log = createCapturedLog()
  const webApp = await createFakeWebApp(folder)
  const config = testConfig(databaseUrl, folder, webApp, env)
  const context = createContext(config, 'api', {
    clock,
    logger: log.logger,
    passwords: createQuickPasswords(config.passwords),
    // Tests wait for many jobs, one after another.
    notificationIntervalMs: 10,
    ...overrides,
  })
  const app = await buildApp(context)
  registerJobs(context)
  await context.ensureSiteApp()
  if (config.mail.smtpUrl === null && overrides.mailer === undefined) skipEmails(context)
  await context.start({ jobs: working, listening: isListening })
  await context.editorKeys.ensureFirstKey(config.secrets.editorApiKey)
  await app.ready()
  let listening: Promise<string> | undefined

  return {
    app,
    context,
    clock,
    pass: `${gatePassCookie}=${context.gatePass.issue()}`,
    editor: `Bearer ${testEditorKey}`,
    listen() {
      listening ??= app.listen({ port: 0, host: '127.0.0.1' })
      return listening
    },
    limitCalls(name, points) {
      changeUntilTestEnds(config.rateLimits[name], { points })
    },
    limitCodes: (limits) => changeUntilTestEnds(config.codeLimits, limits),
    limitMails: (limits) => changeUntilTestEnds(config.mailLimits, limits),
    expectNoErrors: log.expectNoErrors,
    async close() {
      await app.close()
      await context.close()
      // Retried, because a PDF is stored after its readers have received it.
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
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
