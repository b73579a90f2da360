import { limits } from '@tidings/contracts/limits'
import { currentMemberReply, type Member, memberSchema } from '@tidings/contracts/membership/members'
import type { LightMyRequestResponse } from 'fastify'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'

const it = siteTest()
  .extend('ann', { scope: 'file' }, ({ members }) => members.signUp({ email: 'ann@example.com' }))
  .extend(
    'memberOf',
    { scope: 'file' },
    ({ members }) =>
      async ({ headers }: { headers: Record<string, string> }): Promise<Member | null> => {
        const reply = await members.call('GET', '/member', { headers })
        expect(reply.statusCode).toBe(200)
        return currentMemberReply.strict().parse(reply.json()).data
      },
  )
  .extend(
    'update',
    { scope: 'file' },
    ({ members, ann }) =>
      async (customFields: unknown, who = ann): Promise<LightMyRequestResponse> => {
        return await members.call('POST', '/member', { headers: who.headers, body: { customFields } })
      },
  )
  .extend(
    'fieldsAfter',
    { scope: 'file' },
    ({ ann, memberOf, update }) =>
      async (customFields: unknown, who = ann): Promise<Member['customFields'] | undefined> => {
        const reply = await update(customFields, who)
        expect(reply.statusCode).toBe(200)
        expect(reply.json()._internalUseOnly.message).toBe('Your profile is saved.')
        const { customFields: stored } = memberSchema.strict().parse(reply.json().data)
        expect((await memberOf(who))?.customFields).toEqual(stored)
        return stored
      },
  )

describe('GET /member', () => {
  it.for([
    ['no token', () => ({})],
    ['a malformed token', () => ({ authorization: 'Bearer nonsense' })],
    ['another scheme', ({ token }: TestMember) => ({ authorization: `Basic ${token}` })],
  ] as const)('returns null with %s', async ([_what, headersOf], { members, ann }) => {
    const headers = { ...members.visitor, ...headersOf(ann) }
    const reply = await members.call('GET', '/member', { headers })
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({ data: null })
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  it('returns every field of the member', async ({ site, members }) => {
    const { email, headers, memberId } = await members.signUp({
      email: 'Whole@Example.com',
      customFields: { name: 'Whole' },
      plans: [{ planId: 'pln_free-7q2m9x4kd1' }],
    })
    const now = site.clock.now().toISOString()
    const reply = await members.call('GET', '/member?1234', { headers })
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(memberId).toMatch(/^mem_[a-z0-9]{24}$/)
    expect(reply.json()).toEqual({
      data: {
        id: memberId,
        verified: false,
        createdAt: now,
        lastLogin: now,
        auth: { email: email.toLowerCase(), hasPassword: true, providers: [] },
        customFields: { name: 'Whole' },
        metaData: {},
        json: {},
        permissions: [],
        planConnections: [
          {
            id: expect.stringMatching(/^con_[a-z0-9]{24}$/),
            planId: 'pln_free-7q2m9x4kd1',
            planName: 'Free',
            active: true,
            status: 'ACTIVE',
            type: 'FREE',
            payment: null,
          },
        ],
        profileImage: null,
        stripeCustomerId: null,
        loginRedirect: null,
        teams: { joinedTeams: [], ownedTeams: [] },
      },
    })
  })
})

const tooLong = `'Name' can have up to ${limits.customFieldCharacters.toLocaleString('en-US')} characters.`
const noBoolean = "'Evening digest' must be true or false."
const noFields = "'customFields' must be an object with one value per field."

describe('POST /member', () => {
  it('changes the fields that were sent, keeps the others, and ignores undefined fields', async ({
    members,
    fieldsAfter,
  }) => {
    const bea = await members.signUp({ customFields: { name: 'Bea', phone: '+1 555 0100' } })
    expect(await fieldsAfter({ name: 'Beatrice', hacker: 'x', auth: {}, id: 'mem_x' }, bea)).toEqual({
      name: 'Beatrice',
      phone: '+1 555 0100',
    })
  })

  it.for([
    ['a text', { name: 'Ann' }, { name: 'Ann' }],
    ['an empty text', { name: '' }, { name: '' }],
    ['null, which clears a field', { name: null }, { name: null }],
    ['a number', { name: 7.5 }, { name: '7.5' }],
    ['a boolean for a text', { name: true }, { name: 'true' }],
    ['true', { combinestatus: true }, { combinestatus: true }],
    ['"true"', { combinestatus: 'true' }, { combinestatus: true }],
    ['"false"', { combinestatus: 'false' }, { combinestatus: false }],
    ['an empty text for a boolean', { combinestatus: '' }, { combinestatus: false }],
    ['null for a boolean', { combinestatus: null }, { combinestatus: null }],
    ['a hidden field', { getPDFMethodBySMS: true }, { getPDFMethodBySMS: true }],
    ['characters that Postgres cannot store', { name: 'a\0b\ud800c' }, { name: 'ab\ufffdc' }],
    ['every language', { name: 'Ægir 李 🦊' }, { name: 'Ægir 李 🦊' }],
    ['HTML as text', { name: '<b onclick=x>' }, { name: '<b onclick=x>' }],
    ['SQL', { name: "'); DROP TABLE member; --" }, { name: "'); DROP TABLE member; --" }],
    ['no field at all', {}, {}],
    [
      'the maximum number of characters',
      { phone: 'x'.repeat(limits.customFieldCharacters) },
      { phone: 'x'.repeat(limits.customFieldCharacters) },
    ],
  ] as const)('accepts %s', async ([_what, sent, stored], { fieldsAfter }) => {
    expect(await fieldsAfter(sent)).toMatchObject(stored)
  })

  it.for([
    ['an object for a text', { name: { first: 'Ann' } }, "'Name' must be text."],
    ['a list for a text', { name: ['Ann'] }, "'Name' must be text."],
    ['one character too many', { name: 'x'.repeat(limits.customFieldCharacters + 1) }, tooLong],
    ['a word for a boolean', { combinestatus: 'yes' }, noBoolean],
    ['a number for a boolean', { combinestatus: 1 }, noBoolean],
    ['an object for a boolean', { combinestatus: {} }, noBoolean],
    ['a list for the fields', ['name'], noFields],
    ['a text for the fields', 'name=Ann', noFields],
    ['a good field beside a bad one', { name: 'Changed', combinestatus: 'maybe' }, noBoolean],
  ] as const)('refuses %s and changes nothing', async ([_what, sent, message], { ann, memberOf, update }) => {
    const before = await memberOf(ann)
    const refusal = refusalOf(await update(sent))
    expect(refusal).toMatchObject({ status: 400, code: 'invalid-request' })
    expect(refusal.message).toBe(message)
    expect(await memberOf(ann)).toEqual(before)
  })

  it('accepts a body without fields and changes nothing', async ({ members, ann, memberOf }) => {
    const before = await memberOf(ann)
    const reply = await members.call('POST', '/member', { headers: ann.headers, body: { conversionData: 1 } })
    expect(reply.statusCode).toBe(200)
    expect(reply.json().data).toEqual(before)
  })

  it('ignores protected fields', async ({ site, members, ann, memberOf }) => {
    const before = await memberOf(ann)
    const rights = {
      id: 'mem_other',
      appId: 'app_other',
      email: 'root@example.com',
      auth: { email: 'root@example.com', hasPassword: false },
      passwordHash: 'x',
      verified: true,
      createdAt: '2000-01-01T00:00:00.000Z',
      permissions: ['paid'],
      planConnections: [{ planId: 'pln_yearly-9b5s7j3dy6', active: true }],
      plans: [{ planId: 'pln_yearly-9b5s7j3dy6' }],
      stripeCustomerId: 'cus_1',
      profileImage: 'https://evil.example/x.jpg',
      metaData: { role: 'admin' },
      json: { role: 'admin' },
      loginRedirect: 'https://evil.example/',
    }
    const reply = await members.call('POST', '/member', {
      headers: ann.headers,
      body: { ...rights, customFields: rights },
    })
    expect(reply.statusCode).toBe(200)
    expect(await memberOf(ann)).toEqual(before)
    const row = await site.context.database.db.member.findUniqueOrThrow({ where: { id: ann.memberId } })
    expect(row.appId).toBe(site.context.config.site.appId)
  })

  it('keeps every field of concurrent changes', async ({ members, memberOf, update }) => {
    const cy = await members.signUp()
    const sent = { name: 'Cy', phone: '1', combinestatus: true, getPDFMethodByEmail: true }
    await Promise.all(Object.entries(sent).map(([key, value]) => update({ [key]: value }, cy)))
    expect((await memberOf(cy))?.customFields).toEqual(sent)
  })

  it.for([
    ['no session', {}, 'login-required'],
    ['a malformed token', { authorization: 'Bearer nonsense' }, 'client/invalid-token'],
  ] as const)('refuses %s', async ([_what, authorization, code], { members }) => {
    const headers = { ...members.visitor, ...authorization }
    const reply = await members.call('POST', '/member', { headers, body: { customFields: {} } })
    expect(refusalOf(reply)).toMatchObject({ status: 401, code })
  })
})
