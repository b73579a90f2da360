import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { codeIn } from '#test/mail/inbox.ts'
import { otherCode } from '#test/sign-in/code-flows.ts'
import { linkTo, verificationTest, verificationWords } from '#test/sign-in/verification-links.ts'

type Fields = Record<string, string>

const it = verificationTest({ RATE_WRONG_CODES_PER_HOUR: '30', RATE_CODE_TRIES_PER_MINUTE: '60' })
  .extend('open', { scope: 'file' }, ({ site }) => async (fields: Fields, { from = '127.0.0.1' } = {}) => {
    const url = `/auth/verify-email?${new URLSearchParams(fields)}`
    return await site.app.inject({ method: 'GET', url, remoteAddress: from })
  })
  // Enters a code as a visitor does.
  .extend('enter', { scope: 'file' }, ({ members }) => async (fields: Fields, from: string) => {
    const { email, code, password } = fields
    return await members.call('POST', '/auth/verify-email', { body: { email, code, password }, from })
  })

const visitor = '198.51.100.7'
const form = '<form method="post" action="/auth/verify-email/confirm"'

/** Returns what someone knows who guesses a link. */
function guessOf({ signature: _signature, ...known }: Fields, code = known.code ?? ''): Fields {
  return { ...known, code }
}

describe('opening a link', () => {
  it('reveals nothing about guessed digits and addresses', async ({ flows, linkFieldsOf, open, submit }) => {
    const used = await linkFieldsOf((await flows.memberOf('used@example.com')).email)
    const { password } = await flows.memberOf('used@example.com')
    expect((await submit({ ...used, password })).statusCode).toBe(200)
    const valid = await linkFieldsOf((await flows.memberOf('valid@example.com')).email)
    const pageOf = async (fields: Fields) => {
      const { statusCode, body } = await open(fields)
      const { email = '', code = '', signature } = fields
      const texts = [email, code, ...(signature === undefined ? [] : [signature])]
      // A shown address may break before its @.
      const whole = body.replaceAll('<wbr>', '')
      return { statusCode, body: texts.reduce((text, own) => text.replaceAll(own, ''), whole) }
    }
    const page = await pageOf(guessOf(valid))
    expect(page).toMatchObject({ statusCode: 200, body: expect.stringContaining(form) })
    for (const link of [valid, used, { ...valid, email: 'unknown@example.com' }]) {
      for (const code of [link.code ?? '', otherCode(link.code ?? '')]) {
        expect(await pageOf(guessOf(link, code))).toEqual(page)
        if (link !== used || code !== used.code) {
          expect(await pageOf({ ...guessOf(link, code), signature: used.signature ?? '' })).toEqual(page)
        }
      }
    }
  })

  it('costs no guesses, whatever it carries and wherever it comes from', async ({
    flows,
    linkFieldsOf,
    open,
    enter,
  }) => {
    const { email, password } = await flows.memberOf('image@example.com')
    const link: Fields = { ...(await linkFieldsOf(email)), password }
    const wrong = guessOf(link, otherCode(link.code ?? ''))
    // More than a minute's tries, and more wrong codes than a network has in an hour.
    for (let times = 0; times < 70; times += 1) {
      expect((await open(wrong, { from: visitor })).statusCode).toBe(200)
    }
    expect(refusalOf(await enter(wrong, visitor)).code).toBe('invalid-verification-code')
    expect((await enter(link, visitor)).statusCode).toBe(200)
  })

  it('costs no guesses when the link is old, with or without its form', async ({
    flows,
    inbox,
    linkFieldsOf,
    open,
    submit,
    enter,
  }) => {
    const { email, password } = await flows.memberOf('again@example.com')
    const old: Fields = { ...(await linkFieldsOf(email)), password }
    await flows.ask('verification', email)
    const code = codeIn(await inbox.mailTo(email, verificationWords, 2))
    for (let times = 0; times < 35; times += 1) {
      expect((await open(old, { from: visitor })).body).toContain('We’ve sent you a newer link')
      expect((await submit(old, { from: visitor })).body).toContain('We’ve sent you a newer link')
    }
    expect((await enter({ ...old, code }, visitor)).statusCode).toBe(200)
  })
})

describe('the tries of a code that are used up', () => {
  it('give right and wrong digits the same page', async ({ flows, linkFieldsOf, submit, enter }) => {
    const { email, password } = await flows.memberOf('tries@example.com')
    const link: Fields = { ...(await linkFieldsOf(email)), password }
    const wrong = (distance: number) => guessOf(link, otherCode(link.code ?? '', distance))
    for (let distance = 1; distance <= 5; distance += 1) {
      expect(refusalOf(await enter(wrong(distance), visitor)).code).toBe('invalid-verification-code')
    }
    const pages = [guessOf(link), wrong(6)].map(async (fields) => {
      const { statusCode, body } = await submit(fields, { from: visitor })
      return { statusCode, body: body.replaceAll(fields.code ?? '', '') }
    })
    const [right, other] = await Promise.all(pages)
    expect(right).toEqual(other)
    expect(right).toMatchObject({
      statusCode: 400,
      body: expect.stringContaining('This link has expired'),
    })
  })

  it('don’t end the link that we emailed', async ({ flows, linkFieldsOf, open, submit, enter }) => {
    const { email, password } = await flows.memberOf('typos@example.com')
    const link: Fields = { ...(await linkFieldsOf(email)), password }
    for (let distance = 1; distance <= 5; distance += 1) {
      await enter(guessOf(link, otherCode(link.code ?? '', distance)), visitor)
    }
    expect(refusalOf(await enter(link, visitor)).code).toBe('invalid-verification-code')
    expect((await open(link, { from: visitor })).body).toContain(form)
    expect((await submit(link, { from: visitor })).body).toContain('Your email address is confirmed')
  })
})

describe('an emailed link, opened again,', () => {
  it('says that the address is confirmed, long after', async ({ flows, inbox, open, submit }) => {
    const { email, password } = await flows.memberOf('later@example.com')
    const link = Object.fromEntries((await linkTo(inbox, email)).searchParams)
    expect((await submit({ ...link, password })).statusCode).toBe(200)
    flows.pass(3 * 24 * 3600)
    const page = await open(link)
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('Your email address is already confirmed')
  })

  it('says that it expired', async ({ flows, linkFieldsOf, open }) => {
    const { email } = await flows.memberOf('expired@example.com')
    const link = await linkFieldsOf(email)
    flows.pass(11 * 60)
    const page = await open(link)
    expect(page.statusCode).toBe(410)
    expect(page.body).toContain('This link has expired')
    expect(page.body).toContain('name="action" value="send"')
  })

  it.for(['removed by the link', 'deleted by its member'])(
    'says that the address is no longer in use, after the account was %s',
    async (end, { flows, members, linkFieldsOf, open, submit }) => {
      const { email, headers, password } = await flows.memberOf(`${end.replaceAll(' ', '-')}@example.com`)
      const link = await linkFieldsOf(email)
      if (end === 'removed by the link') await submit({ ...link, action: 'decline' })
      else await members.call('DELETE', '/member', { headers, body: { password } })
      const page = await open(link)
      expect(page.statusCode).toBe(410)
      expect(page.body).toContain('This address is no longer in use')
      expect(page.body).not.toContain('value="send"')
    },
  )
})
