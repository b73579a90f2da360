import { memberExportReply } from '@tidings/contracts/membership/members'
import { describe, expect } from 'vitest'
import { paymentMailTest } from '#test/fixtures.ts'
import { createDeletionActions } from '#test/payments/deletion-actions.ts'
import { runInProcess } from '#test/sites/run-in-process.ts'
import { waitOptions } from '#test/wait-options.ts'

const it = paymentMailTest()
  .extend('accounts', { scope: 'file' }, createDeletionActions)
  .extend(
    'run',
    { scope: 'file' },
    ({ site }) =>
      (args: string[], answer?: string) =>
        runInProcess(['members', ...args], site.context.config, answer),
  )
  .extend('signUp', { scope: 'file' }, ({ members, db }) => async (email: string, number: string) => {
    const { memberId } = await members.signUp({ email })
    const consent = { consentAt: new Date(0), consentOrigin: '', consentText: '' }
    await db.memberPhone.create({
      data: {
        memberId,
        text: number,
        number,
        codeExpiresAt: new Date(0),
        verifiedAt: new Date(0),
        ...consent,
      },
    })
    return memberId
  })

describe('members find', () => {
  it('finds a member by address in any form, former address, phone number and id', async ({
    run,
    signUp,
    db,
  }) => {
    const id = await signUp('ann@example.com', '+14155550132')
    await signUp('bea@example.com', '+14155550133')
    await db.member.update({ where: { id }, data: { formerEmail: 'old@example.com' } })
    for (const clue of [
      'Ann <ANN@example.com>',
      'old@example.com',
      '(415) 555-0132',
      '+1 415 555 0132',
      id,
    ]) {
      const { code, printed } = await run(['find', clue, '--json'])
      expect(code).toBe(0)
      expect(JSON.parse(printed)).toMatchObject([{ id, email: 'ann@example.com' }])
    }
    expect((await run(['find', id])).printed).toMatch(
      new RegExp(
        `^${id} {2}ann@example\\.com.*\\n {2}former address {2}old@example\\.com\\n {2}phone {2}\\+14155550132\\n`,
      ),
    )
  })

  it('exits with 1 for an unknown member, and with 2 for what is neither address, number nor id', async ({
    run,
  }) => {
    expect(await run(['find', 'nobody@example.com'])).toMatchObject({
      code: 1,
      printed: 'No member has this address, number or id.\n',
    })
    const { code, errors } = await run(['find', 'Ann'])
    expect(code).toBe(2)
    expect(errors).toContain('no email address, no phone number and no id')
  })
})

describe('members export', () => {
  it('prints what the member would get, more often than a member may', async ({ run, members, site }) => {
    site.limitCalls('exports', 1)
    const { headers, email, memberId } = await members.signUp()
    const own = memberExportReply.parse((await members.call('GET', '/member/export', { headers })).json())
    for (const clue of [email, memberId, email]) {
      const { code, printed, errors } = await run(['export', clue])
      expect({ code, errors }).toEqual({ code: 0, errors: '' })
      const { data } = memberExportReply.strict().parse(JSON.parse(printed))
      expect({ ...data, exportedAt: '' }).toEqual({ ...own.data, exportedAt: '' })
    }
  })
})

describe('members delete', () => {
  it.for([
    { answer: undefined, code: 2, left: 1 },
    { answer: 'y', code: 1, left: 1 },
    { answer: 'someone@example.com', code: 1, left: 1 },
    { answer: 'zoe@example.com', code: 0, left: 0 },
  ])('needs the address to be typed: $answer', async ({ answer, code, left }, { run, members, db }) => {
    const email = 'zoe@example.com'
    if ((await db.member.count({ where: { email } })) === 0) await members.signUp({ email })
    const result = await run(['delete', email], answer)
    expect(result.code).toBe(code)
    expect(await db.member.count({ where: { email } })).toBe(left)
  })

  it('cancels and refunds what is owed, ends the sessions, and frees the address', async ({
    run,
    accounts,
    members,
  }) => {
    const member = await accounts.subscribe()
    const { code, printed } = await run(['delete', member.memberId, '--yes', '--json'])
    expect({ code, ...JSON.parse(printed) }).toEqual({ code: 0, id: member.memberId, hasPayments: true })
    const read = async () => (await members.call('GET', '/member', { headers: member.headers })).json()
    await expect.poll(async () => (await read()).data ?? null, waitOptions).toBeNull()
    await accounts.waitUntilClosed(member)
    expect(await accounts.statusesOf(member.customer)).toEqual(['canceled'])
  })
})
