import { limits } from '@tidings/contracts/limits'
import { describe, expect, it } from 'vitest'
import { plainText } from '#platform/html/plain-text.ts'
import { cleanComment } from './comment-text.ts'

describe('cleanComment of plain text', () => {
  it.each([
    'I <3 this',
    'if a < b and c > d',
    'if a<b and c>d then b<a',
    'x<y and z>w',
    'Tom & Jerry say "hello"',
    '<y> is not a tag, and <reader@example.com> is an address',
    '100 % – naïve 👩‍🚀',
  ])('keeps %j readable', (text) => {
    expect(plainText(cleanComment(text))).toBe(text)
  })

  it('keeps line breaks and collapses empty lines', () => {
    expect(cleanComment('One\nTwo\r\nThree\n\n\n\n\nFour\n')).toBe('One<br>Two<br>Three<br><br>Four')
  })

  it('keeps text that a client has escaped', () => {
    expect(cleanComment('1 &lt; 2 &amp; 3')).toBe('1 &lt; 2 &amp; 3')
  })
})

describe('cleanComment of HTML', () => {
  it('keeps prose and links', () => {
    expect(cleanComment('<p>See <b>this</b>: <a href="https://example.com/">here</a></p>')).toBe(
      '<p>See <b>this</b>: <a href="https://example.com/" rel="noopener noreferrer" target="_blank">here</a></p>',
    )
  })

  it.each([
    '<script>alert(1)</script>',
    '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
    '<img src=x onerror=alert(1)>',
    '<img src=x onerror=alert(1)',
    '<svg/onload=alert(1)>',
    '<svg><script>alert(1)</script></svg>',
    '<iframe src="javascript:alert(1)"></iframe>',
    '<body onload=alert(1)>',
    '<input autofocus onfocus=alert(1)>',
    '<details open ontoggle=alert(1)>',
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
    '<p style="background:url(javascript:alert(1))" onclick="alert(1)">text</p>',
    '<a href="javascript:alert(1)">text</a>',
    '<a href="java\nscript:alert(1)">text</a>',
    '<a href="data:text/html,<script>alert(1)</script>">text</a>',
    '<b onmouseover=alert(1)>text</b>',
    '<a/href="javascript:alert(1)">text</a>',
    '<form action="//evil.example"><button>text</button></form>',
    '<!--><img src=x onerror=alert(1)>-->',
    '<x onclick=alert(1)>text</x>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<<script>alert(1)//<</script>',
    '<scr<script>ipt>alert(1)</scr</script>ipt>',
  ])('removes scripts from %j', (html) => {
    const clean = cleanComment(`Words ${html}`)

    expect(clean).toContain('Words')
    // Only text, prose tags and the attributes of links may remain.
    expect(
      clean.replaceAll(/<\/?(?:p|b|br \/|a(?: rel="noopener noreferrer" target="_blank")?)>/g, ''),
    ).not.toContain('<')
  })
})

describe('cleanComment', () => {
  it.each([
    '',
    '   ',
    '\n\t',
    '<p></p>',
    '<img src="x.png">',
    '<script>1</script>',
    '&nbsp;',
    '\u200b\u00ad',
    '\u0000',
  ])('refuses %j, which has no text', (written) => {
    expect(() => cleanComment(written)).toThrow(
      expect.objectContaining({ code: 'required-field-missing', status: 400 }),
    )
  })

  it('accepts a comment of the maximum length and names the limit for a longer one', () => {
    const longest = 'é'.repeat(limits.commentCharacters)

    expect(cleanComment(longest)).toBe(longest)
    expect(() => cleanComment(`${longest}x`)).toThrow(
      expect.objectContaining({
        code: 'invalid-request',
        status: 400,
        message: expect.stringContaining('5,000'),
      }),
    )
  })
})
