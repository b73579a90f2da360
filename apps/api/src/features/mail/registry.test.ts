import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { createEmailSite } from './layout/email-site.ts'
import { emailDefinitions } from './registry.ts'
import { renderEmail } from './render-email.ts'

const site = createEmailSite({
  appName: 'Tidings',
  siteUrl: new URL('https://news.example.com'),
  contact: 'help@example.com',
  language: 'en',
  timeZone: 'America/Los_Angeles',
})

const samples = emailDefinitions.flatMap((definition) =>
  definition.samples.map(([sample, data]) => ({ kind: definition.kind, sample, definition, data })),
)

/** Returns the text that a browser shows for the HTML. */
function shownText(html: string): string {
  return html
    .replaceAll(/<head>.*<\/head>|<!--.*?-->/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
}

function linksOf(html: string): string[] {
  return [...html.matchAll(/href="([^"]+)"/g)].map(([, url = '']) => url.replaceAll('&amp;', '&'))
}

test('the registry contains every email file, each with a kind of its own and a sample', async () => {
  const files = await readdir(join(import.meta.dirname, 'emails'), { recursive: true })
  const kinds = emailDefinitions.map(({ kind }) => kind)
  expect(
    files
      .filter((file) => file.includes('/'))
      .map((file) => file.replace(/^.*\/|\.ts$/g, ''))
      .sort(),
  ).toEqual([...new Set(kinds)].sort())
  expect(samples.map(({ kind }) => kind)).toEqual(expect.arrayContaining(kinds))
})

describe.each(samples)('$kind ($sample)', ({ definition, data }) => {
  const rendering = renderEmail(definition, data, site)

  it('has a subject under 78 characters that names the site', () => {
    const { subject } = rendering
    expect(subject).toContain('Tidings')
    expect(subject.length).toBeLessThan(78)
  })

  it('fills every placeholder', () => {
    const { subject, html, text } = rendering
    expect(`${subject}\n${text}\n${shownText(html)}`).not.toMatch(
      /undefined|null|NaN|\[object|Invalid Date|[{}]|\$\{/,
    )
    expect(text).not.toMatch(/: \n|:\n(?!\n|https:|help@)|\n{3}| {2}/)
    expect(html).not.toMatch(/<(td|tbody)[^>]*><\//)
  })

  it('has the same text and links in HTML and in plain text', () => {
    const { html, text } = rendering
    const shown = shownText(html)
    const lines = text.split('\n').filter((line) => line !== '' && line !== '---')
    expect(lines.length).toBeGreaterThan(3)
    const links = linksOf(html)
    // A link that stands below its button in plain text is behind its words in HTML.
    for (const line of lines.filter((each) => !links.includes(each))) {
      const fact = /^(\w[\w ]*): (.+)$/.exec(line)
      expect(shown).toContain(fact === null ? line.replace(/:$/, '') : `${fact[1]} ${fact[2]}`)
    }
    for (const link of links) expect(text).toContain(link.replace(/^mailto:/, ''))
  })

  it('has a language, a title, a preview line and both color schemes', () => {
    const { html } = rendering
    expect(html).toMatch(/<html[^>]* lang="en"/)
    expect(html).toMatch(/<title>[^<]{5,}<\/title>/)
    expect(html).toMatch(/display:none[^>]*>[^<]{10,}/)
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>')
    expect(html).toContain('@media (prefers-color-scheme: dark)')
  })

  it('loads nothing from the network and contains no script', async () => {
    expect(rendering.html).not.toMatch(/<(img|link|script|iframe)\b|url\(|@import/i)
  })

  it('explains what to do if it was unexpected, whom to contact, and why it was sent', () => {
    const { text } = rendering
    expect(text).toMatch(/\n---\n\n(Didn’t|Wasn’t|Was|Don’t) [^\n]+\?/)
    expect(text).toContain('Questions? Write to help@example.com')
    expect(text).toContain('You’re receiving this email because')
  })
})
