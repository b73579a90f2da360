import { describe, expect } from 'vitest'
import { cleanHtml } from '#platform/html/clean-html.ts'
import { siteTest } from '#test/fixtures.ts'
import { plainTextCases } from '#test/plain-text-cases.ts'

const it = siteTest({ working: false })

// The index leaves out the numbers of items and the brackets around struck words: readers search for neither.
const itemMark = /(?<=^|\| )(?:\d+|[a-z]+|[IVX]+)\. /g
const struck = /\[struck: ([^\]]*)\]/g

describe('search_html', () => {
  it.for(plainTextCases)('indexes the words that $html says', async ({ html, text }, { site }) => {
    const words = text
      .split('\n')
      .map((line) => (html.includes('<ol') ? line.replaceAll(itemMark, '') : line))
      .join(' ')
      .replaceAll(struck, '$1')
    const { rows } = await site.context.database.pool.query<{ html: string; text: string }>(
      `SELECT search_words('simple', search_tokens(search_html($1)))::text AS html,
        search_words('simple', search_tokens($2))::text AS text`,
      [cleanHtml(html), words],
    )
    expect(rows[0]?.html).toBe(rows[0]?.text)
  })
})
