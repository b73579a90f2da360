import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { codeIn } from '#test/mail/inbox.ts'
import { queueUp } from '#test/row-locks.ts'
import { newPassword } from '#test/sign-in/code-flows.ts'
import { verificationTest, verificationWords } from '#test/sign-in/verification-links.ts'

const it = verificationTest()

describe('POST /auth/verify-email', () => {
  it('verifies the address of the member with the code of the sign-up email', async ({
    flows,
    inbox,
    isVerified,
  }) => {
    const { email, headers } = await flows.memberOf('ann@example.com')
    expect(await isVerified(headers)).toBe(false)
    const code = codeIn(await inbox.mailTo(email, verificationWords))
    const reply = await flows.use('verification', email, code)
    expect(reply.json()).toEqual({
      data: { success: true },
      _internalUseOnly: { message: 'Your email address is confirmed.' },
    })
    expect(await isVerified(headers)).toBe(true)
  })

  it.for([
    ['a malformed address', { email: 'ann', code: '123456', newPassword }, 'invalid-email'],
    [
      'an unknown address',
      { email: 'unknown@example.com', code: '123456', newPassword },
      'invalid-verification-code',
    ],
  ] as const)('refuses %s', async ([_name, body, code], { flows }) => {
    const reply = await flows.members.call('POST', '/auth/verify-email', { body })
    expect(refusalOf(reply)).toMatchObject({ status: 400, code })
  })
})

describe('POST /auth/send-email-verification', () => {
  it('emails another code', async ({ flows }) => {
    const mail = await flows.mail('verification', 'bea@example.com')
    expect((await flows.use('verification', 'bea@example.com', codeIn(mail))).statusCode).toBe(200)
  })

  it('returns success to a verified member and sends no email', async ({ flows, inbox }) => {
    const { email, headers } = await flows.memberOf('fay@example.com')
    const send = () => flows.members.call('POST', '/auth/send-email-verification', { headers })
    // A newer request replaces a code that was not sent yet, so wait for the first email.
    await inbox.mailTo(email, verificationWords)
    flows.pass(1)
    expect((await send()).json()).toEqual({
      data: { success: true },
      _internalUseOnly: { message: 'We’ve sent a code to your address.' },
    })
    const mail = await inbox.mailTo(email, verificationWords, 2)
    expect((await flows.use('verification', email, codeIn(mail))).statusCode).toBe(200)
    const reply = await send()
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({
      data: { success: true },
      _internalUseOnly: { message: 'Your address is already confirmed.' },
    })
    await flows.mailed()
    expect(await inbox.mailsTo(email, verificationWords)).toHaveLength(2)
  })

  it('needs a session', async ({ flows }) => {
    const reply = await flows.members.call('POST', '/auth/send-email-verification')
    expect(refusalOf(reply)).toMatchObject({ status: 401, code: 'login-required' })
  })
})

describe("'I didn’t sign up'", () => {
  it('removes the account and ends its sessions', async ({ site, flows, linkFieldsOf, submit }) => {
    const { email, headers, memberId } = await flows.memberOf('ida@example.com')
    const link = await linkFieldsOf(email)
    const page = await submit({ ...link, action: 'decline' })
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('Your address has been removed')
    expect(await site.context.database.db.member.count({ where: { id: memberId } })).toBe(0)
    expect((await flows.members.call('GET', '/member', { headers })).json()).toEqual({ data: null })
    expect((await submit({ ...link, action: 'decline' })).statusCode).toBe(400)
  })

  it.for([
    ['verified before', true],
    ['never verified', false],
  ] as const)(
    'restores the earlier address of an account, %s',
    async ([_what, verified], { site, flows, inbox, isVerified, linkFieldsOf, submit }) => {
      const { db } = site.context.database
      const member = await flows.members.signUp({ email: `jo-${verified}@example.com` })
      const { memberId: id, headers } = member
      await inbox.mailTo(member.email, verificationWords)
      flows.pass(1)
      await db.member.update({ where: { id }, data: { verified } })
      for (const email of [`typo-${verified}@example.com`, `stranger-${verified}@example.com`]) {
        await flows.members.call('POST', '/member-auth', { headers, body: { email } })
      }
      const link = await linkFieldsOf(`stranger-${verified}@example.com`)
      expect((await submit({ ...link, action: 'decline' })).statusCode).toBe(200)
      expect(await db.member.findUniqueOrThrow({ where: { id } })).toMatchObject({
        email: member.email,
        formerEmail: null,
        verified: false,
      })
      expect(await isVerified(headers)).toBe(false)
      await inbox.mailTo(member.email, verificationWords, 2)
    },
  )

  it('is refused when the earlier address belongs to another account', async ({
    flows,
    linkFieldsOf,
    submit,
  }) => {
    const member = await flows.members.signUp({ email: 'kit@example.com' })
    const body = { email: 'not-kit@example.com' }
    await flows.members.call('POST', '/member-auth', { headers: member.headers, body })
    await flows.members.signUp({ email: 'kit@example.com' })
    const page = await submit({ ...(await linkFieldsOf(body.email)), action: 'decline' })
    expect(page.statusCode).toBe(403)
    expect(page.body).toContain('hello@tidings.example')
  })

  it('is refused for an account with a paid plan', async ({ site, flows, linkFieldsOf, submit }) => {
    const { email, memberId } = await flows.memberOf('lou@example.com')
    const { db } = site.context.database
    const plan = {
      id: 'con_lou',
      memberId,
      planId: 'pln_paid',
      priceId: 'prc_paid',
      createdAt: site.clock.now(),
    }
    await db.planConnection.create({ data: { ...plan, type: 'subscription', status: 'PAST_DUE' } })
    const link = await linkFieldsOf(email)
    const page = await submit({ ...link, action: 'decline' })
    expect(page.statusCode).toBe(403)
    expect(page.body).toContain('The account pays for a plan, so we can’t remove your address here.')
    expect(await db.member.count({ where: { id: memberId } })).toBe(1)
    // The owner of the address can still verify it, and the plan stays.
    expect((await submit({ ...link, newPassword })).statusCode).toBe(200)
    expect((await flows.members.logIn({ email, password: newPassword })).member.planConnections).toHaveLength(
      1,
    )
  })

  it.for(['before', 'after'])(
    'removes the account only if it comes first (verified right %s it)',
    async (order, { site, flows, linkFieldsOf, submit }) => {
      const { email, memberId } = await flows.memberOf(`race-${order}@example.com`)
      const link = await linkFieldsOf(email)
      const code = await flows.code('login', email)
      const verify = () => flows.use('login', email, code)
      const decline = () => submit({ ...link, action: 'decline' })
      await queueUp(site, memberId, order === 'before' ? [verify, decline] : [decline, verify])
      const rows = await site.context.database.db.member.findMany({ where: { email } })
      expect(rows).toMatchObject(order === 'before' ? [{ id: memberId, verified: true }] : [])
    },
  )
})
