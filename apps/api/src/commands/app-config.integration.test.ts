import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { compileCache } from '#test/compile-cache.ts'
import { createTestMembers, type TestMembers } from '#test/membership.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { waitOptions } from '#test/wait-options.ts'

const execute = promisify(execFile)
const outcome = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() })
const configSchema = z.looseObject({
  name: z.string(),
  plans: z.array(z.looseObject({ id: z.string(), status: z.string() })),
})

let databaseUrl: string
let folder: string
let site: TestApp
let members: TestMembers
beforeAll(async () => {
  databaseUrl = await createTestDatabase()
  folder = await mkdtemp(path.join(tmpdir(), 'tidings-app-config-'))
  site = await startTestApp({ databaseUrl })
  members = createTestMembers(site)
})
afterAll(async () => {
  await site.close()
  await rm(folder, { recursive: true, force: true })
})

/** Runs a command as a person would. */
async function run(
  command: 'app-config' | 'token-keys',
  args: string[],
  env: Record<string, string> = {},
): Promise<z.infer<typeof outcome>> {
  const program = fileURLToPath(new URL(`./${command}.ts`, import.meta.url))
  try {
    const { stdout, stderr } = await execute(process.execPath, [program, ...args], {
      env: { ...compileCache, DATABASE_URL: databaseUrl, ...env },
    })
    return { code: 0, stdout, stderr }
  } catch (error) {
    return outcome.parse(error)
  }
}

const appConfig = (...args: string[]) => run('app-config', args)

async function shown(): Promise<z.infer<typeof configSchema>> {
  return configSchema.parse(JSON.parse((await appConfig('show')).stdout))
}

async function storedVersion(): Promise<number> {
  const { db } = site.context.database
  const { version } = await db.membershipApp.findUniqueOrThrow({
    where: { id: site.context.config.site.appId },
  })
  return version
}

async function fileWith(name: string, content: unknown): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

/** The app as a running process tells it to clients. */
async function served(): Promise<{ name: string; branding: unknown }> {
  return (await members.call('GET', '/app')).json().data
}

describe('app-config', () => {
  it('shows a configuration that it takes again, unchanged', async () => {
    const file = await fileWith('same.json', await shown())
    expect(await appConfig('check', file)).toMatchObject({ code: 0, stdout: 'Nothing would change.\n' })
  })

  it('has a running process follow at once', async () => {
    const before = await served()
    const branding = { primaryButton: 'rgb(1, 2, 3)' }
    const file = await fileWith('brand.json', { ...(await shown()), branding })
    expect((await appConfig('check', file)).stdout).toBe('Would change: branding.\n')
    expect((await served()).branding).toEqual(before.branding)
    expect((await appConfig('apply', file)).stdout).toBe('Stored. Changed: branding.\n')
    await vi.waitFor(
      async () =>
        expect((await served()).branding).toMatchObject({
          colors: { lightMode: { primaryButton: 'rgb(1, 2, 3)' } },
        }),
      waitOptions,
    )
  })

  it('has members who are read from memory follow as well', async () => {
    const config = await shown()
    const plan = { id: 'pln_friends', name: 'Friends', permissions: ['chat'] }
    await appConfig('apply', await fileWith('plan.json', { ...config, plans: [...config.plans, plan] }))
    await vi.waitFor(
      async () => expect((await members.call('GET', '/app/plans/pln_friends')).statusCode).toBe(200),
      waitOptions,
    )
    const { headers } = await members.signUp({ plans: [{ planId: 'pln_friends' }] })
    expect((await members.call('GET', '/member', { headers })).json().data.permissions).toEqual(['chat'])
    const renamed = { ...plan, permissions: ['chat', 'print'] }
    await appConfig('apply', await fileWith('plan.json', { ...config, plans: [...config.plans, renamed] }))
    await vi.waitFor(
      async () =>
        expect((await members.call('GET', '/member', { headers })).json().data.permissions).toEqual([
          'chat',
          'print',
        ]),
      waitOptions,
    )
    const dropped = await appConfig('apply', await fileWith('dropped.json', config))
    expect(dropped).toMatchObject({ code: 1, stderr: expect.stringContaining('Members hold pln_friends') })
  })

  it('says what to do next where what is sold has changed and payments are set up', async () => {
    const config = await shown()
    const prices = [{ id: 'prc_new', amount: 3, currency: 'usd', interval: 'MONTHLY' }]
    const file = await fileWith('priced.json', {
      ...config,
      plans: [...config.plans, { id: 'pln_priced', name: 'Priced', prices }],
    })
    const stored = 'Stored. Changed: plans.\n'
    const next = 'Now run `payments sync`: until then the payment service knows the plans of before.\n'
    const back = await fileWith('unpriced.json', config)
    expect((await appConfig('apply', file)).stdout).toBe(stored)
    await appConfig('apply', back)
    const stripe = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
    expect((await run('app-config', ['apply', file], stripe)).stdout).toBe(`${stored}${next}`)
    expect((await run('app-config', ['apply', file], stripe)).stdout).toBe('Stored; nothing has changed.\n')
    await appConfig('apply', back)
  })

  it.each([
    ['an unknown key', { name: 'A', colour: 'red' }, 'colour'],
    ['no name', {}, 'name: '],
    [
      'a price without an interval',
      {
        name: 'A',
        plans: [{ id: 'pln_a', name: 'A', prices: [{ id: 'prc_a', amount: 1, currency: 'usd' }] }],
      },
      'prc_a',
    ],
    [
      'the same plan twice',
      {
        name: 'A',
        plans: [
          { id: 'pln_a', name: 'A' },
          { id: 'pln_a', name: 'B' },
        ],
      },
      "'pln_a' is used twice",
    ],
    ['an origin with a path', { name: 'A', allowedOrigins: ['https://a.example/x'] }, 'allowedOrigins.0'],
    ['no JSON', '{', 'is not valid JSON'],
  ])('refuses %s by name, and changes nothing', async (_what, content, named) => {
    const before = await storedVersion()
    const refused = await appConfig('apply', await fileWith('wrong.json', content))
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(named) })
    expect(await storedVersion()).toBe(before)
  })

  it('makes another app, whose key answers at once and whose members are its own', async () => {
    const file = await fileWith('other.json', { name: 'Other', allowedOrigins: ['https://other.example'] })
    expect((await appConfig('apply', file, '--app', 'app_other')).stderr).toContain('give its public key')
    expect((await appConfig('apply', file, '--app', 'app_other', '--key', 'pk_other')).code).toBe(0)
    const headers = { 'x-api-key': 'pk_other', origin: 'https://other.example' }
    await vi.waitFor(
      async () => expect((await members.call('GET', '/app', { headers })).json().data.name).toBe('Other'),
      waitOptions,
    )
    expect((await appConfig('list')).stdout).toContain('app_other  pk_other  Other')
  })

  it('tells how it is used', async () => {
    expect((await appConfig()).stdout).toContain('app-config apply FILE')
    expect((await appConfig('apply')).code).toBe(1)
    expect((await appConfig('apply', path.join(folder, 'nowhere.json'))).stderr).toContain('cannot be read')
  })

  it('is documented by an example that can be used', async () => {
    const example = fileURLToPath(new URL('../../../../.config/app-config.example.json', import.meta.url))
    expect(JSON.parse(await readFile(example, 'utf8'))).toHaveProperty('plans')
    expect(await appConfig('check', example, '--app', 'app_example', '--key', 'pk_example')).toMatchObject({
      code: 0,
      stdout: 'Would change: everything: the app is new.\n',
    })
  })
})

describe('token-keys rotate', () => {
  it('has new tokens signed by a new key, and logs nobody out', async () => {
    const { headers, email } = await members.signUp()
    const before = keyIdOf(headers.authorization)
    expect((await run('token-keys', ['rotate'])).stdout).toMatch(
      /^New tokens are signed by [a-z0-9]{26}\.\n$/,
    )
    await vi.waitFor(async () => {
      const { tokens } = await members.logIn({ email })
      expect(keyIdOf(tokens.accessToken)).not.toBe(before)
    }, waitOptions)
    expect((await members.call('GET', '/member', { headers })).json().data.auth.email).toBe(email)
  })
})

/** The key that signed a token, by its own word. */
function keyIdOf(token: string | undefined): unknown {
  const [head = ''] = (token ?? '').replace('Bearer ', '').split('.')
  return JSON.parse(Buffer.from(head, 'base64url').toString()).kid
}
