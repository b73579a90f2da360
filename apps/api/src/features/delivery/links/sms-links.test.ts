import { describe, expect, test } from 'vitest'
import { noDelivery } from './signed-links.ts'
import { createSmsLinks, smsPurposes } from './sms-links.ts'

const siteUrl = new URL('https://news.example.com')
const links = createSmsLinks({ secret: 'secret', siteUrl })
const id = '019ab2c4-5d6e-7f80-9a1b-2c3d4e5f6071'

function tokenOf(link: string): string {
  return link.split('/').at(-1) ?? ''
}

describe('a link in a text', () => {
  test.each(smsPurposes)('of %s has 40 characters behind the host, and opens this alone', (purpose) => {
    const link = links.linkTo(purpose, id)
    expect(link).toMatch(/^https:\/\/news\.example\.com\/l\/[\w-]{37}$/)
    expect(new URL(link).pathname).toHaveLength(40)
    expect(links.open(tokenOf(link))).toEqual({ status: 'valid', purpose, deliveryId: id })
  })

  test('of a test opens nothing', () => {
    expect(links.open(tokenOf(links.linkTo('view', noDelivery)))).toEqual({ status: 'test' })
  })

  test('is not valid with any character changed, missing or added, or of another site', () => {
    const token = tokenOf(links.linkTo('view', id))
    const changed = [...token].flatMap((_, at) =>
      ['A', 'B', '-', '_', '9', 'a'].map((other) => token.slice(0, at) + other + token.slice(at + 1)),
    )
    const other = tokenOf(createSmsLinks({ secret: 'other', siteUrl }).linkTo('view', id))
    const forged = [...changed, other, '', 'view', token.slice(1), `${token}A`, `${token} `, `${token}.`]
    for (const each of forged.filter((each) => each !== token)) {
      expect([each, links.open(each)]).toEqual([each, { status: 'invalid' }])
    }
  })

  test('is refused for ids that are not a UUIDv7', () => {
    expect(() => links.linkTo('view', '019ab2c4-5d6e-4f80-9a1b-2c3d4e5f6071')).toThrow('Not a UUIDv7')
    expect(() => links.linkTo('view', 'x')).toThrow('Not a UUIDv7')
  })
})
