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
    'The <title> of this page',
    'use <script> tags',
    'a <b> c',
    'I <3 you',
    'x<y>z',
    '<Ann> said so',
    '<Ann>said</Ann> so',
    'List<String> and Map<String, List<Integer>>',
    'std::vector<int> a; a<b>(c)',
    'a <textarea> and an <input',
    'close it with </div>',
    '</title> comes after <title>',
    '<!-- note',
    '<!-- note -->',
    '<!DOCTYPE html> goes first',
    '<?php echo 1',
    '<![CDATA[x',
    'put it into <style>',
    '<plaintext> eats the rest, <xmp> too',
    '<svg> or <math>?',
    'the <p> element, the <li> element',
    '<a href="x"> has no end',
    '<b isn"t closed',
    '5 < 6 and 7 > 3',
    '<>',
    '</>',
    '<<<>>>',
    'if (a <b && c> d) return',
    'https://example.com/?a=1&copy=2&lt=3&para=4',
    'AT&T, R&D, x&y',
  ])('keeps %j readable', (text) => {
    expect(plainText(cleanComment(text))).toBe(text)
  })

  it('keeps the escapes of a client that sends them, and shows them as what they mean', () => {
    expect(plainText(cleanComment('use &lt;b&gt; &amp; &#60;i&#x3E;'))).toBe('use <b> & <i>')
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
    ['<p>One</p><p>Two</p>', '<p>One</p><p>Two</p>'],
    ['<b>x</b>', '<b>x</b>'],
    ['a<br>b', 'a<br>b'],
    ['a<BR/>b', 'a<br>b'],
    ['<p>One<p>Two</p>', '<p>One</p><p>Two</p>'],
    ['<ul><li>One<li>Two</ul>', '<ul><li>One</li><li>Two</li></ul>'],
    ['<p>Hi<o:p></o:p></p>', '<p>Hi</p>'],
    ['<!--StartFragment--><b>x</b>', '<b>x</b>'],
    ['<b>Use</b> the <title> tag', '<b>Use</b> the &lt;title&gt; tag'],
    ['<p>a <b> c, 1 < 2</p>', '<p>a &lt;b&gt; c, 1 &lt; 2</p>'],
    ['<i>List<String></i>', '<i>List&lt;String&gt;</i>'],
  ])('cleans %j to %s', (written, html) => {
    expect(cleanComment(written)).toBe(html)
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
    '\u3164\u115f\u2800',
    '\u202e\u2066\u2069\u202c',
    '\u200d\ufe0f\u2060\ufeff',
    '\u0301\u0302',
    '<br><br/><BR>',
    '<p>\u200b</p><p>&#8203;&zwj;</p>',
    '<b>\u2800</b>\n&shy;',
    '<hr>',
  ])('refuses %j, which has no text', (written) => {
    expect(() => cleanComment(written)).toThrow(
      expect.objectContaining({ code: 'required-field-missing', status: 400 }),
    )
  })

  it.each(['👩‍👩‍👧', '❤️', '🏳️‍🌈', '#️⃣', '🇩🇪', '.', 'ㅋㅋ', '\uF8FF'])('accepts %j', (written) => {
    expect(cleanComment(written)).toBe(written)
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
