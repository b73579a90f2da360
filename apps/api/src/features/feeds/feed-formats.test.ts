import { parseXml, XmlElement } from '@rgrove/parse-xml'
import { describe, expect, it } from 'vitest'
import { type Feed, toJsonFeed, toRss } from './feed-formats.ts'
import { openingOf } from './feed-item.ts'

const hostile = '"]]> <b>&amp; \u0000\u0008\u{fffe}\ud800 👩‍🚀 é </item>'
const item = {
  id: 'urn:uuid:0199a1f4-1111-7abc-8def-0123456789ab',
  url: 'https://news.example/#/edition/11-20-26-10AM',
  title: 'Friday, November 20, 2026, 10AM',
  publishedAt: new Date('2026-11-20T18:00:00.000Z'),
  updatedAt: new Date('2026-11-20T19:30:00.000Z'),
  summary: '<p>One &amp; two</p>',
  content: '<h2>One &amp; two</h2>',
}
const feed: Feed = {
  title: 'Tidings',
  description: 'The latest editions.',
  siteUrl: new URL('https://news.example'),
  selfUrl: new URL('https://news.example/feeds/rss'),
  language: 'pt-BR',
  updatedAt: item.updatedAt,
  items: [item],
}

/** Returns the texts of the elements with this name, in order. */
function textsOf(xml: string, name: string): string[] {
  const find = (element: XmlElement): string[] => [
    ...(element.name === name ? [element.text] : []),
    ...element.children.flatMap((child) => (child instanceof XmlElement ? find(child) : [])),
  ]
  const { root } = parseXml(xml)
  return root === null ? [] : find(root)
}

describe('toRss', () => {
  it('writes well-formed XML with an id, dates and a whole entry', () => {
    const xml = toRss(feed)

    expect(textsOf(xml, 'language')).toEqual(['pt-BR'])
    expect(textsOf(xml, 'guid')).toEqual([item.id])
    expect(textsOf(xml, 'link')).toEqual(['https://news.example/', item.url])
    expect(textsOf(xml, 'pubDate')).toEqual(['Fri, 20 Nov 2026 18:00:00 GMT'])
    expect(textsOf(xml, 'lastBuildDate')).toEqual(['Fri, 20 Nov 2026 19:30:00 GMT'])
    expect(textsOf(xml, 'atom:updated')).toEqual(['2026-11-20T19:30:00.000Z'])
    expect(textsOf(xml, 'description')).toEqual(['The latest editions.', item.summary])
    expect(textsOf(xml, 'content:encoded')).toEqual([item.content])
    expect(xml).toContain('<atom:link href="https://news.example/feeds/rss" rel="self"')
  })

  it('keeps hostile text as text', () => {
    const entry = { ...item, title: hostile, summary: hostile, content: hostile }
    const xml = toRss({ ...feed, title: hostile, items: [entry] })

    const kept = '"]]> <b>&amp;  👩‍🚀 é </item>'
    expect(textsOf(xml, 'title')).toEqual([kept, kept])
    expect(textsOf(xml, 'content:encoded')).toEqual([kept])
  })

  it('writes a site without editions, and no address of a private feed', () => {
    const xml = toRss({ ...feed, selfUrl: null, updatedAt: null, items: [] })

    expect(textsOf(xml, 'title')).toEqual(['Tidings'])
    expect(xml).not.toContain('atom:link')
  })
})

describe('toJsonFeed', () => {
  it('writes version 1.1', () => {
    expect(JSON.parse(toJsonFeed(feed))).toEqual({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Tidings',
      description: 'The latest editions.',
      home_page_url: 'https://news.example/',
      feed_url: 'https://news.example/feeds/rss',
      language: 'pt-BR',
      items: [
        {
          id: item.id,
          url: item.url,
          title: item.title,
          summary: 'One & two',
          content_html: item.content,
          date_published: '2026-11-20T18:00:00.000Z',
          date_modified: '2026-11-20T19:30:00.000Z',
        },
      ],
    })
  })

  it('has the summary as the content of a public entry', () => {
    const { items } = JSON.parse(toJsonFeed({ ...feed, items: [{ ...item, content: null }] }))

    expect(items).toMatchObject([{ content_html: item.summary }])
  })
})

describe('openingOf', () => {
  it.each([
    ['A short text.', 'A short text.'],
    ['Two\nlines  and spaces ', 'Two lines and spaces'],
    [`${'word '.repeat(40)}end`, `${'word '.repeat(32).trim()}…`],
    [`See https://example.com/${'a/'.repeat(90)}`, 'See…'],
    ['日'.repeat(200), `${'日'.repeat(160)}…`],
    ['👩'.repeat(161), `${'👩'.repeat(160)}…`],
  ])('shortens %j at a word', (text, opening) => {
    expect(openingOf(text)).toBe(opening)
  })
})
