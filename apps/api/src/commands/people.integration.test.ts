import { describe, expect } from 'vitest'
import { z } from 'zod'
import { mailTest } from '#test/fixtures.ts'
import { createTestPeople, deskPathIn } from '#test/passkeys/people.ts'
import { runInProcess } from '#test/sites/run-in-process.ts'
import { useTestApp } from '#test/test-app.ts'

const it = mailTest()
  .extend('people', { scope: 'file' }, ({ site }) => createTestPeople(site))
  .extend(
    'run',
    { scope: 'file' },
    ({ site }) =>
      (...args: string[]) =>
        runInProcess(args, site.context.config),
  )

describe('people invite', () => {
  it('prints and emails a link that makes an owner', async ({ run, inbox, people }) => {
    const { code, printed } = await run('people', 'invite', 'Anna@Example.com', '--role', 'owner,editor')

    const link = new URL(printed.split('\n')[0] ?? '')
    expect(code).toBe(0)
    expect(deskPathIn(await inbox.mailTo('anna@example.com'))).toBe(link.pathname)
    const anna = await people.join(link.pathname.replace('/desk/invitation/', ''), 'Anna')
    expect(await people.you(anna)).toMatchObject({ email: 'anna@example.com', roles: ['owner', 'editor'] })
  })

  it('prints JSON for programs', async ({ run }) => {
    const { printed } = await run('--json', 'people', 'invite', 'json@example.com', '--role', 'writer')

    const schema = z.object({ email: z.string(), roles: z.array(z.string()), url: z.url() })
    expect(schema.parse(JSON.parse(printed))).toMatchObject({ email: 'json@example.com', roles: ['writer'] })
  })

  it.for([
    ['invite', 'nobody', '--role', 'owner'],
    ['invite', 'anna@example.com', '--role', 'king'],
    ['invite', 'anna@example.com'],
    ['remove', 'nobody', '--yes'],
  ])('is wrong use: people %j', async (args, { run }) => {
    expect((await run('people', ...args)).code).toBe(2)
  })
})

describe('people link', () => {
  it('prints a link that signs in once, within a day', async ({ run, people, site }) => {
    const person = await people.add('writer')
    const { code, printed } = await run('people', 'link', person.email)
    const path = new URL(printed.split('\n')[0] ?? '').pathname.replace('/desk/sign-in/', '/sign-in-links/')
    const start = site.clock.now()
    site.clock.moveTo(new Date(start.getTime() + 23 * 3_600_000))

    const signedIn = await people.call('POST', path)
    const again = await people.call('POST', path)

    site.clock.moveTo(start)
    expect([code, signedIn.statusCode, again.statusCode]).toEqual([0, 200, 410])
    expect(signedIn.json().data.email).toBe(person.email)
  })

  it('is refused for an address that nobody has', async ({ run }) => {
    const { code, errors } = await run('people', 'link', 'nobody@example.com')
    expect([code, errors]).toEqual([1, expect.stringContaining('Nobody with this address works here.')])
  })
})

describe('people list', () => {
  it('shows addresses, names and roles', async ({ run, people }) => {
    const person = await people.add('writer', 'moderator')
    const { name } = await people.you(person)

    const { printed } = await run('people', 'list')

    expect(printed).toContain(`${person.email}  ${name}  [writer, moderator]\n`)
  })
})

describe('people remove', () => {
  it('ends the sessions of a person at once', async ({ run, people }) => {
    const person = await people.add('writer')

    const { code, printed } = await run('people', 'remove', person.email, '--yes')

    expect([code, printed]).toEqual([0, expect.stringMatching(/^Removed Person/)])
    expect((await people.as(person, 'GET', '/you')).statusCode).toBe(401)
    expect((await run('people', 'remove', person.email, '--yes')).code).toBe(1)
  })

  it('keeps the last owner', async () => {
    const site = await useTestApp({ working: false })
    const owner = await createTestPeople(site).add('owner')

    const { code, errors } = await runInProcess(
      ['people', 'remove', owner.email, '--yes'],
      site.context.config,
    )

    expect([code, errors]).toEqual([1, 'Make someone else owner first.\n'])
  })
})
