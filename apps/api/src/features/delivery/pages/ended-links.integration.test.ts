import { describe, expect } from 'vitest'
import { secondProcess, signInTest } from '#test/fixtures.ts'
import { createCodeFlows } from '#test/sign-in/code-flows.ts'
import { createSquatting, type Origin } from '#test/sign-in/squatted-accounts.ts'
import { linkTo } from '#test/sign-in/verification-links.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const deliveryId = '019aa000-0000-7000-8000-000000000001'
let made = 0

const it = signInTest()
  .extend('second', { scope: 'file' }, secondProcess())
  .extend('inbox', { scope: 'file' }, ({ signIn }) => signIn.inbox)
  .extend('flows', { scope: 'file' }, ({ site, inbox }) => createCodeFlows(site, inbox))
  .extend('squatting', { scope: 'file' }, ({ signIn, second, flows }) =>
    createSquatting(signIn, { second, flows }),
  )
  .extend('emailed', { scope: 'file' }, ({ site }) => {
    const { app, context } = site
    const { db } = context.database
    /** Returns the links of an email that is sent to a member now, and what they do. */
    return async (memberId: string) => {
      const customFields = { getmemomethodbyemail: true }
      const { linkVersion } = await db.member.update({ where: { id: memberId }, data: { customFields } })
      const links = context.signedLinks.ofDelivery(deliveryId, {
        memberId,
        methods: ['memo_email'],
        linkVersion,
      })
      return {
        open: () => app.inject(new URL(links.preferences).pathname),
        save: () => post(links.preferences, 'action=save&method=digest'),
        pause: () => post(links.preferences, 'action=pause&day=2026-12-24'),
        unsubscribe: () => post(links.unsubscribe, 'List-Unsubscribe=One-Click'),
      }
    }

    async function post(link: string, payload: string) {
      return await app.inject({ method: 'POST', url: new URL(link).pathname, headers: form, payload })
    }
  })

type Links = {
  [Name in 'open' | 'save' | 'pause' | 'unsubscribe']: () => Promise<{ statusCode: number; body: string }>
}

function addressOf(name: string): string {
  made += 1
  // Other files have the same site and inbox.
  return `links-${name.replaceAll(/[^a-z]+/g, '-')}-${made}@example.com`
}

/** Checks that the links to the preferences change nothing, and that the other one still unsubscribes. */
async function expectEnded(links: Links): Promise<void> {
  for (const name of ['open', 'save', 'pause'] as const) {
    const reply = await links[name]()
    expect([name, reply.statusCode]).toEqual([name, 410])
    expect(reply.body).toContain('This link has expired')
    expect(reply.body).toContain('Log in to change how you receive editions')
  }
  expect((await links.unsubscribe()).body).toContain('You’re unsubscribed')
}

describe('a link to the preferences ends with its owner', () => {
  it.for<[string, Origin]>([
    ['a login code', 'a sign-up'],
    ['a passwordless sign-up', 'a sign-up'],
    ['a reset', 'a sign-up'],
    ['a verification with a new password', 'a sign-up'],
    ['a login by a provider', 'a sign-up'],
    ['a sign-up by a provider', 'a sign-up'],
    ['a login code', 'an address change'],
  ])(
    'by %s, the first proof of an address that came from %s',
    async ([proof, by], { squatting, emailed, db }) => {
      const email = addressOf(proof)
      const { memberId } = await squatting.squat(email, by)
      const links = await emailed(memberId)
      await squatting.proofs[proof]?.(email)

      await expectEnded(links)

      expect(await db.member.findUniqueOrThrow({ where: { id: memberId } })).toMatchObject({
        deliveriesPausedUntil: null,
        customFields: { combinestatus: false },
      })
      expect((await (await emailed(memberId)).save()).statusCode).toBe(200)
    },
  )

  it('by a change of the address, before the new one is proved', async ({ signIn, emailed }) => {
    const { memberId, headers } = await signIn.member(addressOf('change'))
    const links = await emailed(memberId)
    await signIn.members.call('POST', '/member-auth', { headers, body: { email: addressOf('changed') } })
    await expectEnded(links)
  })

  it('when the new address is declined and the former one comes back', async ({
    signIn,
    emailed,
    inbox,
    site,
  }) => {
    const former = addressOf('former')
    const typo = addressOf('typo')
    const { memberId, headers } = await signIn.member(former)
    await signIn.members.call('POST', '/member-auth', { headers, body: { email: typo } })
    const links = await emailed(memberId)
    const fields = Object.fromEntries((await linkTo(inbox, typo)).searchParams)
    const declined = await site.app.inject({
      method: 'POST',
      url: '/auth/verify-email/confirm',
      headers: form,
      payload: new URLSearchParams({ ...fields, action: 'decline' }).toString(),
    })
    expect(declined.statusCode).toBe(200)
    await expectEnded(links)
  })

  it('by a reset of the password of a proved address', async ({ signIn, squatting, emailed }) => {
    const email = addressOf('reset')
    const { memberId } = await signIn.member(email)
    const links = await emailed(memberId)
    await squatting.proofs['a reset']?.(email)
    await expectEnded(links)
  })

  it('but not by a login, a login code or a change of the name', async ({ signIn, squatting, emailed }) => {
    const email = addressOf('kept')
    const { memberId, headers } = await signIn.member(email)
    const links = await emailed(memberId)
    await signIn.members.logIn({ email })
    await squatting.proofs['a login code']?.(email)
    await signIn.members.call('POST', '/member', { headers, body: { customFields: { name: 'Bea' } } })
    expect((await links.open()).statusCode).toBe(200)
  })

  it('and one that was sent before links had a number works until then', async ({ signIn, site, db }) => {
    const { memberId } = await signIn.member(addressOf('before'))
    const link = site.context.signedLinks.linkTo('preferences', `${memberId}~memo_email`)
    const open = async () => (await site.app.inject(new URL(link).pathname)).statusCode
    expect(await open()).toBe(200)
    await db.member.update({ where: { id: memberId }, data: { linkVersion: 1 } })
    expect(await open()).toBe(410)
  })
})
