import type { Member } from '@tidings/contracts/members'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { changeApp } from '#test/factories/app-settings.ts'
import { testPlans } from '#test/factories/plans.ts'
import { createTestMembers, type TestMember, type TestMembers } from '#test/membership.ts'
import { multipartForm } from '#test/multipart.ts'
import { terminateListeners } from '#test/other-processes.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { waitOptions } from '#test/wait-options.ts'

let here: TestApp
let there: TestApp
let members: TestMembers
let elsewhere: TestMembers
beforeAll(async () => {
  const databaseUrl = await createTestDatabase()
  here = await startTestApp({ databaseUrl })
  there = await startTestApp({ databaseUrl })
  members = createTestMembers(here)
  elsewhere = createTestMembers(there)
})
afterAll(async () => {
  await here.close()
  await there.close()
})

async function read(process: TestMembers, { headers }: TestMember): Promise<Member> {
  return (await process.call('GET', '/member', { headers })).json().data
}

async function change({ headers }: TestMember, url: string, body: unknown): Promise<void> {
  const reply = await members.call('POST', url, { headers, body })
  expect(reply.statusCode, reply.body).toBe(200)
}

async function uploadImage({ headers }: TestMember): Promise<void> {
  const content = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#a6402b' } })
    .png()
    .toBuffer()
  const form = multipartForm([{ name: 'profileImage', filename: 'me.png', type: 'image/png', content }])
  const reply = await here.app.inject({
    method: 'POST',
    url: '/member/profile-image',
    headers: { ...headers, ...form.headers },
    payload: form.payload,
  })
  expect(reply.statusCode, reply.body).toBe(200)
}

const { free } = testPlans

/** Each kind of change, and the field of the member that shows it. */
const changes: [string, (member: TestMember) => Promise<unknown>, (member: Member) => unknown, unknown][] = [
  [
    'custom fields',
    (one) => change(one, '/member', { customFields: { name: 'Ann', combinestatus: true } }),
    ({ customFields }) => customFields,
    expect.objectContaining({ name: 'Ann', combinestatus: true }),
  ],
  ['JSON', (one) => change(one, '/member/json', { json: { a: 1 } }), ({ json }) => json, { a: 1 }],
  [
    'an added plan',
    (one) => change(one, '/member/plans/add', { planId: free }),
    ({ planConnections }) => planConnections.map(({ planId, planName }) => [planId, planName]),
    [[free, 'Free']],
  ],
  [
    'a removed plan',
    async (one) => {
      await change(one, '/member/plans/add', { planId: free })
      await read(elsewhere, one)
      await change(one, '/member/plans/remove', { planId: free })
    },
    ({ planConnections }) => planConnections,
    [],
  ],
  [
    'another address',
    (one) => change(one, '/member-auth', { email: `new-${one.email}` }),
    ({ auth }) => auth.email,
    expect.stringMatching(/^new-member-/),
  ],
  [
    'a profile image',
    uploadImage,
    ({ profileImage }) => profileImage,
    expect.stringContaining('/profile-images/'),
  ],
  [
    'a removed profile image',
    async (one) => {
      await uploadImage(one)
      await read(elsewhere, one)
      await members.call('DELETE', '/member/profile-image', { headers: one.headers })
    },
    ({ profileImage }) => profileImage,
    null,
  ],
  [
    'another login',
    async (one) => {
      here.clock.pass(60_000)
      await members.logIn(one)
    },
    ({ lastLogin }) => Date.parse(lastLogin ?? '') > there.clock.now().getTime(),
    true,
  ],
]

describe('GET /member from the cache', () => {
  it.each(changes)(
    'returns %s, at once on this process and soon on another',
    async (_name, make, pick, expected) => {
      const member = await members.signUp()
      for (const process of [members, elsewhere])
        expect((await read(process, member)).id).toBe(member.memberId)
      await make(member)
      expect(pick(await read(members, member))).toEqual(expected)
      await vi.waitFor(async () => expect(pick(await read(elsewhere, member))).toEqual(expected), waitOptions)
    },
  )

  it("returns changes of the app's configuration", async () => {
    const member = await members.signUp({ plans: [{ planId: free }] })
    const nameOf = async (process: TestMembers) => (await read(process, member)).planConnections[0]?.planName
    for (const process of [members, elsewhere]) expect(await nameOf(process)).toBe('Free')
    const plans = (await here.context.apps.siteApp()).plans
    await changeApp(here, {
      loginRedirect: 'https://www.example.com/welcome',
      plans: plans.map((plan) =>
        plan.id === free ? { ...plan, name: 'Free for all', permissions: ['read'] } : plan,
      ),
    })
    const expected = {
      loginRedirect: 'https://www.example.com/welcome',
      permissions: ['read'],
      planConnections: [expect.objectContaining({ planName: 'Free for all' })],
    }
    expect(await read(members, member)).toMatchObject(expected)
    await vi.waitFor(async () => expect(await read(elsewhere, member)).toMatchObject(expected), waitOptions)
    await changeApp(here, { loginRedirect: null, plans })
  })

  it('returns the same bytes while nothing changes', async () => {
    const { headers } = await members.signUp({ customFields: { name: 'Ünï ☃' } })
    const first = await members.call('GET', '/member', { headers })
    const second = await members.call('GET', '/member', { headers })
    expect(second.body).toBe(first.body)
    expect(second.json().data.customFields.name).toBe('Ünï ☃')
    expect(second.headers['cache-control']).toBe('no-store')
    expect(second.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  it('reads the database while a process receives no notifications', async () => {
    const member = await members.signUp()
    for (const process of [members, elsewhere]) await read(process, member)
    await terminateListeners(here)
    await vi.waitFor(() => expect(there.context.notifications.isListening()).toBe(false), waitOptions)
    // Changed directly in the database, without a notification.
    await here.context.database.db.member.update({
      where: { id: member.memberId },
      data: { customFields: { name: 'Changed' } },
    })
    expect((await read(elsewhere, member)).customFields).toEqual({ name: 'Changed' })
    await vi.waitFor(() => {
      for (const { context } of [here, there]) expect(context.notifications.isListening()).toBe(true)
    }, waitOptions)
    for (const process of [members, elsewhere]) {
      expect((await read(process, member)).customFields).toEqual({ name: 'Changed' })
    }
  })
})
