import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { listIdOf } from './list-id.ts'

const url = new URL('https://news.example.com')

/** Reads a header as a mail program does. */
async function decoded(value: string): Promise<string> {
  return (await PostalMime.parse(`Subject: ${value}\r\n\r\n`)).subject ?? ''
}

describe('listIdOf', () => {
  it.each(['Tidings', 'Tidings Daily', 'my-news_2'])('keeps the name %j as it is', (name) => {
    expect(listIdOf({ name, url }, 'memo')).toBe(`${name} memo <memo.news.example.com>`)
  })

  it.each([
    'Zürcher Bote',
    'Новости дня',
    'أخبار اليوم',
    '日々の便り',
    'News 🗞️🙂',
    'Smith, Jones & Co.',
    'The "Daily" <News>',
    'Back\\slash (comment)',
    '=?UTF-8?Q?trick?=',
    'é'.repeat(150),
    '🙂'.repeat(60),
    'x'.repeat(300),
  ])('encodes the name %j', async (name) => {
    const listId = listIdOf({ name, url }, 'memo')
    expect(listId).toMatch(/^(?:=\?UTF-8\?B\?[\w+/]+=*\?= )+<memo\.news\.example\.com>$/)
    expect(Math.max(...listId.split(' ').map((word) => word.length))).toBeLessThanOrEqual(66)
    expect(await decoded(listId)).toBe(`${name} memo <memo.news.example.com>`)
  })

  it('keeps a name from ending the header', () => {
    expect(listIdOf({ name: 'News\r\nBcc: eve@example.com', url }, 'memo')).not.toMatch(/[\r\n]/)
  })

  it.each([
    ['https://bücher.example', 'memo.xn--bcher-kva.example'],
    ['http://127.0.0.1:3000', 'memo.127.0.0.1'],
    ['http://[::1]:3000', 'memo.localhost'],
    ['https://news.example.com.', 'memo.news.example.com'],
    ['http://localhost:3000', 'memo.localhost'],
  ])('at %s has the id %s', (site, id) => {
    expect(listIdOf({ name: 'Tidings', url: new URL(site) }, 'memo')).toBe(`Tidings memo <${id}>`)
  })
})
