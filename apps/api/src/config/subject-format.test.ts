import { describe, expect, it } from 'vitest'
import { defaultSubjectFormat, parseSubjectFormat } from './subject-format.ts'

describe('parseSubjectFormat', () => {
  it.each([
    defaultSubjectFormat,
    '{title}',
    '{site} {slot}: {title}[ (+{more})]',
    '{day}, {slot}',
    '[{more} more than ]{title}',
    '{slot}[: {more}]',
  ])('reads %j', (text) => {
    const parts = parseSubjectFormat(text)
    expect(parts.map((part) => ('words' in part ? part.words : `{${part.field}}`)).join('')).toBe(
      text.replaceAll(/[[\]]/g, ''),
    )
  })

  it.each([
    ['', 'another field'],
    ['  ', 'another field'],
    ['News', 'another field'],
    ['{headline}', '{headline}'],
    ['{ title }', '{ title }'],
    ['{title', '{'],
    ['title}', '}'],
    ['{{title}}', '{'],
    ['{title}, and {more} more', '{more} within'],
    ['[{title}]', '{title} within'],
    ['{title}{title}', 'once'],
    ['{title}[, {more}', 'close each ['],
    ['{title}], {more}', 'close each ['],
    ['{title}[[{more}]]', 'close each ['],
    ['{title}\nBcc: eve@example.com', 'one line'],
    [`{title}${'!'.repeat(31)}`, 'at most 30 characters'],
  ])('refuses %j', (text, part) => {
    expect(() => parseSubjectFormat(text)).toThrow(part)
  })
})
