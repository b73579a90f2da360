import { describe, expect, it } from 'vitest'
import { cleanHtml } from '#platform/html/clean-html.ts'
import { linksOf } from './links-of-memo.ts'

describe('the links of a memo', () => {
  it('are those of its text, its note and its source, each once', () => {
    const content = cleanHtml(
      '<p><a href="https://a.example/?x=1&amp;y=%22">one</a> <a title="t" href="http://b.example/">two</a>' +
        '<a href="mailto:desk@example.com">mail</a> <a href="https://a.example/?x=1&y=%22">again</a></p>',
    )
    const mediaText = cleanHtml('<a href="https://c.example/">note</a>')
    const links = linksOf({ content, mediaText, source: 'http://b.example/' })
    expect(links).toEqual(['https://a.example/?x=1&y=%22', 'http://b.example/', 'https://c.example/'])
    expect(linksOf({ content: '', mediaText: '', source: '' })).toEqual([])
    expect(linksOf({ content: '', mediaText: '', source: 'half typed' })).toEqual([])
  })
})
