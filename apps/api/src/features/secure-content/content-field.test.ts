import { describe, expect, it } from 'vitest'
import { parseContent } from './content-field.ts'

const code = '</script><script>alert("<b>")</script>\r\n\tp{color:red}'

describe('parseContent', () => {
  it.each([
    ['HTML', '<p onclick="x()">Hello</p><script>1</script>', '<p>Hello</p>'],
    ['HTML', 'Hello', 'Hello'],
    ['JS', code, code],
    ['CSS', code, code],
    ['TEXT', code, code],
    ['TEXT', ' two\nlines ', ' two\nlines '],
    ['JSON', ' {"a": [1, null]} ', ' {"a": [1, null]} '],
    ['JSON', '"text"', '"text"'],
    ['JSON', '{"__proto__": {"admin": true}}', '{"__proto__": {"admin": true}}'],
    ['LINK', 'https://example.com', 'https://example.com'],
    ['LINK', ' HTTP://example.com/a?b=c#d \n', 'HTTP://example.com/a?b=c#d'],
    ['IMAGE', 'https://example.com/ä.png', 'https://example.com/ä.png'],
    ['FILE', `https://example.com/${'x'.repeat(1980)}`, `https://example.com/${'x'.repeat(1980)}`],
  ] as const)('accepts %s %j', (type, content, expected) => {
    expect(parseContent(type, content, 'en')).toBe(expected)
  })

  it.each([
    ['HTML', '<script>alert(1)</script>', 'invalid-html'],
    ['HTML', '<img src="https://example.com/a.png">', 'invalid-html'],
    ['HTML', 'a\0b', 'invalid-request'],
    ['TEXT', 'a\0b', 'invalid-request'],
    ['JS', '"\ud800"', 'invalid-request'],
    ['JSON', '{a: 1}', 'invalid-request'],
    ['JSON', '', 'invalid-request'],
    ['JSON', '{} {}', 'invalid-request'],
    ['LINK', '', 'invalid-request'],
    ['LINK', '/home', 'invalid-request'],
    ['LINK', '//example.com/', 'invalid-request'],
    ['LINK', 'example.com', 'invalid-request'],
    ['LINK', 'https:example.com', 'invalid-request'],
    ['LINK', 'https://', 'invalid-request'],
    ['LINK', 'javascript:alert(1)', 'invalid-request'],
    ['LINK', 'java\nscript://example.com', 'invalid-request'],
    ['LINK', 'https://exa\nmple.com/', 'invalid-request'],
    ['LINK', 'https://example.com/a b', 'invalid-request'],
    ['IMAGE', 'data:image/svg+xml,<svg onload=alert(1)>', 'invalid-request'],
    ['FILE', 'file:///etc/passwd', 'invalid-request'],
    ['FILE', 'ftp://example.com/a', 'invalid-request'],
    ['FILE', `https://example.com/${'x'.repeat(1981)}`, 'invalid-request'],
  ] as const)('rejects %s %j', (type, content, code) => {
    expect(() => parseContent(type, content, 'en')).toThrow(expect.objectContaining({ code, status: 400 }))
  })
})
