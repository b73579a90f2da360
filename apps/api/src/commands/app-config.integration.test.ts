import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, vi } from 'vitest'
import { z } from 'zod'
import { compileCache } from '#test/compile-cache.ts'
import { siteTest } from '#test/fixtures.ts'
import { runInProcess } from '#test/sites/run-in-process.ts'
import { waitOptions } from '#test/wait-options.ts'
import type { Config } from '../config/config.ts'

const execute = promisify(execFile)
const outcome = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() })
const configSchema = z.looseObject({
  name: z.string(),
  plans: z.array(z.looseObject({ id: z.string(), status: z.string() })),
})

const it = siteTest()
  .extend('folderPrefix', { scope: 'file' }, path.join(tmpdir(), 'tidings-app-config-'))
  .extend('folder', { scope: 'file' }, async ({ folderPrefix }, { onCleanup }) => {
    const folder = await mkdtemp(folderPrefix)
    onCleanup(() => rm(folder, { recursive: true, force: true }))
    return folder
  })
  .extend('configWithStripe', { scope: 'file' }, ({ site }): Config => {
    const { config } = site.context
    const stripe = { secretKey: 'sk_test_1', webhookSecrets: ['whsec_1'], apiUrl: null, tax: null }
    return { ...config, payments: { ...config.payments, stripe } }
  })
  /** Runs a command in its own process. */
  .extend(
    'run',
    { scope: 'file' },
    ({ site }) =>
      async (...args: string[]): Promise<z.infer<typeof outcome>> => {
        const program = fileURLToPath(new URL('./tidings.ts', import.meta.url))
        const env = { ...compileCache, DATABASE_URL: site.context.config.database.url }
        try {
          const { stdout, stderr } = await execute(process.execPath, [program, ...args], { env })
          return { code: 0, stdout, stderr }
        } catch (error) {
          return outcome.parse(error)
        }
      },
  )
  /** Runs `app-config` in this process; returns what it prints. */
  .extend(
    'appConfig',
    { scope: 'file' },
    ({ site }) =>
      async (args: string[], config: Config = site.context.config): Promise<string> => {
        const { code, printed, errors } = await runInProcess(['app-config', ...args], config)
        expect({ code, errors }).toEqual({ code: 0, errors: '' })
        return printed
      },
  )
  .extend('failureOf', { scope: 'file' }, ({ site }) => async (...args: string[]): Promise<string> => {
    const { code, errors } = await runInProcess(['app-config', ...args], site.context.config)
    expect(code).toBeGreaterThan(0)
    return errors
  })
  .extend('shownConfig', { scope: 'file' }, ({ appConfig }) => async () => {
    return configSchema.parse(JSON.parse(await appConfig(['show'])))
  })
  .extend('storedVersion', { scope: 'file' }, ({ site, db }) => async (): Promise<number> => {
    const { appId: id } = site.context.config.site
    return (await db.membershipApp.findUniqueOrThrow({ where: { id } })).version
  })
  .extend('fileWith', { scope: 'file' }, ({ folder }) => async (content: unknown): Promise<string> => {
    const file = path.join(folder, 'app.json')
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
    return file
  })
  .extend('primaryButton', { scope: 'file' }, ({ members }) => async () => {
    return (await members.call('GET', '/app')).json().data.branding.colors.lightMode.primaryButton
  })

/** Waits until the running process serves this value. */
async function waitFor(read: () => Promise<unknown>, value: unknown): Promise<void> {
  await vi.waitFor(async () => expect(await read()).toEqual(value), waitOptions)
}

describe('the app-config process', () => {
  it('prints a configuration that it accepts', async ({ run, appConfig, fileWith }) => {
    const shown = await run('app-config', 'show')
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    expect(await appConfig(['check', await fileWith(shown.stdout)])).toBe('Nothing would change.\n')
  })
})

describe('app-config', () => {
  it('changes what a running process serves, but only with apply', async ({
    appConfig,
    shownConfig,
    fileWith,
    primaryButton,
  }) => {
    const before = await primaryButton()
    const file = await fileWith({ ...(await shownConfig()), branding: { primaryButton: 'rgb(1, 2, 3)' } })
    expect(await appConfig(['check', file])).toBe('Would change: branding.\n')
    expect(await primaryButton()).toBe(before)
    expect(await appConfig(['apply', file])).toBe('Saved. Changed: branding.\n')
    await waitFor(primaryButton, 'rgb(1, 2, 3)')
  })

  it('changes cached members, and keeps plans that members have', async ({
    members,
    appConfig,
    failureOf,
    shownConfig,
    fileWith,
  }) => {
    const config = await shownConfig()
    const applyPlan = async (permissions: string[]) => {
      const plan = { id: 'pln_friends', name: 'Friends', permissions }
      await appConfig(['apply', await fileWith({ ...config, plans: [...config.plans, plan] })])
    }
    await applyPlan(['chat'])
    await waitFor(async () => (await members.call('GET', '/app/plans/pln_friends')).statusCode, 200)
    const { headers } = await members.signUp({ plans: [{ planId: 'pln_friends' }] })
    const permissions = async () =>
      (await members.call('GET', '/member', { headers })).json().data.permissions
    expect(await permissions()).toEqual(['chat'])

    await applyPlan(['chat', 'print'])
    await waitFor(permissions, ['chat', 'print'])

    expect(await failureOf('apply', await fileWith(config))).toContain('Members have pln_friends')
  })

  it('names the next step when paid plans changed and payments are configured', async ({
    configWithStripe,
    appConfig,
    shownConfig,
    fileWith,
  }) => {
    const config = await shownConfig()
    const prices = [{ id: 'prc_new', amount: 3, currency: 'usd', interval: 'MONTHLY' }]
    const priced = { ...config, plans: [...config.plans, { id: 'pln_priced', name: 'Priced', prices }] }
    const apply = async (content: unknown, given?: Config) =>
      await appConfig(['apply', await fileWith(content)], given)
    const changed = 'Saved. Changed: plans.\n'
    const next = 'Run `tidings payments sync` next: Stripe does not have these plans and prices yet.\n'

    expect(await apply(priced)).toBe(changed)
    await apply(config)
    expect(await apply(priced, configWithStripe)).toBe(`${changed}${next}`)
    expect(await apply(priced, configWithStripe)).toBe('Saved. Nothing changed.\n')
    await apply(config)
  })

  const planA = { id: 'pln_a', name: 'A' }
  const prices = [{ id: 'prc_a', amount: 1, currency: 'usd' }]
  it.for<[what: string, content: unknown, named: string]>([
    ['an unknown key', { name: 'A', color: 'red' }, 'color'],
    ['no name', {}, 'name: '],
    ['a price without an interval', { name: 'A', plans: [{ ...planA, prices }] }, 'prc_a'],
    ['the same plan twice', { name: 'A', plans: [planA, { ...planA, name: 'B' }] }, "'pln_a' is used twice"],
    ['an origin with a path', { name: 'A', allowedOrigins: ['https://a.example/x'] }, 'allowedOrigins.0'],
    ['invalid JSON', '{', 'is not valid JSON'],
  ])(
    'rejects and names %s, and changes nothing',
    async ([_what, content, named], { failureOf, storedVersion, fileWith }) => {
      const before = await storedVersion()
      expect(await failureOf('apply', await fileWith(content))).toContain(named)
      expect(await storedVersion()).toBe(before)
    },
  )

  it('creates another app, which running processes serve at once', async ({
    members,
    appConfig,
    failureOf,
    fileWith,
  }) => {
    const file = await fileWith({ name: 'Other', allowedOrigins: ['https://other.example'] })
    expect(await failureOf('apply', file, '--app', 'app_other')).toContain('Set its public key')
    await appConfig(['apply', file, '--app', 'app_other', '--key', 'pk_other'])
    const headers = { 'x-api-key': 'pk_other', origin: 'https://other.example' }
    await waitFor(async () => (await members.call('GET', '/app', { headers })).json().data?.name, 'Other')
    expect(await appConfig(['list'])).toContain('app_other  pk_other  Other')
  })

  it('names a file that it cannot read', async ({ folder, failureOf }) => {
    expect(await failureOf('apply', path.join(folder, 'missing.json'))).toContain('Could not read')
  })

  it('accepts the example file', async ({ appConfig }) => {
    const example = fileURLToPath(new URL('../../../../.config/app-config.example.json', import.meta.url))
    expect(JSON.parse(await readFile(example, 'utf8'))).toHaveProperty('plans')
    expect(await appConfig(['check', example, '--app', 'app_example', '--key', 'pk_example'])).toBe(
      [
        'Would create app_example.',
        '  prc_monthly-plan-8k3v5n1wqe: $4.99 a month (new)',
        '  prc_yearly-plan-2r6x9m4tgc: $49.99 a year (new)',
        '',
      ].join('\n'),
    )
  })
})

describe('keys rotate-signing-key', () => {
  it('signs new tokens with a new key, and keeps sessions valid', async ({ members, run }) => {
    const { headers, email } = await members.signUp()
    const before = keyIdOf(headers.authorization)
    expect((await run('keys', 'rotate-signing-key')).stdout).toMatch(
      /^New tokens are signed with [a-z0-9]{26}\.\n$/,
    )
    await vi.waitFor(async () => {
      const { tokens } = await members.logIn({ email })
      expect(keyIdOf(tokens.accessToken)).not.toBe(before)
    }, waitOptions)
    expect((await members.call('GET', '/member', { headers })).json().data.auth.email).toBe(email)
  })
})

/** Returns the id of the key that signed a token. */
function keyIdOf(token: string | undefined): unknown {
  const [head = ''] = (token ?? '').replace('Bearer ', '').split('.')
  return JSON.parse(Buffer.from(head, 'base64url').toString()).kid
}
