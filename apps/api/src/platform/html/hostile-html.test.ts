import { describe, expect, it } from 'vitest'
import { cleanHtml } from './clean-html.ts'

const tagsKept =
  'p|h2|h3|ul|ol|li|blockquote|table|caption|thead|tbody|tfoot|tr|th|td|strong|b|em|i|u|s|ins|a|code|sup|sub|abbr|span|bdi|bdo|ruby|rt|rp|br|hr'
const attributeKept =
  ' (?:href="(?:https?:\\/\\/|mailto:)[^"<>]*"|rel="noopener noreferrer"|target="_blank"|(?:title|dir|lang|colspan|rowspan|scope|start|value|type)="[^"<>]*")'
const markupKept = new RegExp(`<(?:${tagsKept})(?:${attributeKept})*(?: \\/)?>|<\\/(?:${tagsKept})>`, 'g')

/** Removes all allowed markup; clean HTML then has no angle brackets. */
function withoutMarkupKept(html: string): string {
  return html.replace(markupKept, '')
}

/** The input and the expected output. */
const hostile: [name: string, dirty: string, clean: string][] = [
  ['a script', '<p>a<script>alert(1)</script>b</p>', '<p>ab</p>'],
  ['a script in capitals', '<SCRIPT SRC=//evil.test/x.js></SCRIPT>a', 'a'],
  [
    'a script split by a nested one',
    '<scr<script>ipt>alert(1)</scr</script>ipt>a',
    'ipt&gt;alert(1)ipt&gt;a',
  ],
  ['an unclosed script', '<p>a</p><script>alert(1)', '<p>a</p>'],
  ['a script behind a slash', '<script/x>alert(1)</script/>a', 'a'],
  ['an image with a handler', '<img src=x onerror=alert(1)>a', 'a'],
  ['an image with a srcset', '<img srcset="//evil.test/a 1x">a', 'a'],
  ['a handler on an allowed tag', '<p onclick="alert(1)" onmouseover=alert(1)>a</p>', '<p>a</p>'],
  ['a handler glued with a slash', '<b/onclick=alert(1)>a</b>', '<b>a</b>'],
  ['an svg that loads', '<svg/onload=alert(1)><circle/></svg>a', 'a'],
  ['an svg with a script', '<svg><script>alert(1)</script></svg>a', 'a'],
  [
    'an svg that animates a link',
    '<svg><a><animate attributeName=href values=javascript:alert(1) /><text>a</text></a></svg>b',
    'b',
  ],
  ['an svg style that breaks out', '<svg><style><img src=x onerror=alert(1)></style></svg>a', 'a'],
  ['a javascript link', '<a href="javascript:alert(1)">a</a>', 'a'],
  ['a javascript link in capitals', '<a href="JaVaScRiPt:alert(1)">a</a>', 'a'],
  ['a javascript link in entities', '<a href="&#106;&#x61;vascript&colon;alert(1)">a</a>', 'a'],
  ['a javascript link without semicolons', '<a href="&#0000106&#0000097vascript:alert(1)">a</a>', 'a'],
  ['a javascript link with a tab', '<a href="java\tscript:alert(1)">a</a>', 'a'],
  ['a javascript link with an entity line end', '<a href="java&#10;script:alert(1)">a</a>', 'a'],
  ['a javascript link behind control characters', '<a href="\u0001\u0014 javascript:alert(1)">a</a>', 'a'],
  ['a javascript link behind a no-break space', '<a href="\u00a0javascript:alert(1)">a</a>', 'a'],
  ['a javascript link with a zero-width space', '<a href="java\u200bscript:alert(1)">a</a>', 'a'],
  ['a javascript link in wide letters', '<a href="ｊavascript:alert(1)">a</a>', 'a'],
  ['a data link', '<a href="data:text/html;base64,PHNjcmlwdD4=">a</a>', 'a'],
  ['a vbscript link', '<a href="vbscript:msgbox(1)">a</a>', 'a'],
  ['a file link', '<a href="file:///etc/passwd">a</a>', 'a'],
  ['a blob link', '<a href="blob:https://a.test/1">a</a>', 'a'],
  ['a protocol-relative link', '<a href="//evil.test/">a</a>', 'a'],
  ['a backslashed protocol-relative link', '<a href="\\\\evil.test/">a</a>', 'a'],
  ['a relative link', '<a href="/desk/v1/editions">a</a>', 'a'],
  ['a link with a name before its host', '<a href="https://bank.test@evil.test/">a</a>', 'a'],
  [
    'a link that breaks out of its quotes',
    '<a href=\'https://a.test/" onclick="alert(1)\'>a</a>',
    '<a href="https://a.test/%22%20onclick=%22alert(1)" rel="noopener noreferrer" target="_blank">a</a>',
  ],
  [
    'a link with its own target and rel',
    '<a href="https://a.test/" target="_top" rel="opener" ping="https://b.test" download>a</a>',
    '<a href="https://a.test/" rel="noopener noreferrer" target="_blank">a</a>',
  ],
  [
    'anchors in anchors',
    '<a href="https://a.test/">a<a href="javascript:alert(1)">b</a></a>',
    '<a href="https://a.test/" rel="noopener noreferrer" target="_blank">a</a>b',
  ],
  ['an iframe with a document', '<iframe srcdoc="<script>alert(1)</script>"></iframe>a', 'a'],
  [
    'an iframe with fallback',
    '<iframe><p title="</iframe><img src=x onerror=alert(1)>"></iframe>a',
    '"&gt;a',
  ],
  ['an object and an embed', '<object data="x.swf"><embed src="x.swf"></object>a', 'a'],
  [
    'a form',
    '<form action="https://evil.test"><input name=q><button formaction="javascript:alert(1)">b</button></form>a',
    '<p>b</p>a',
  ],
  [
    'an isindex and a keygen',
    '<isindex action=javascript:alert(1) type=image><keygen autofocus onfocus=alert(1)>a',
    'a',
  ],
  ['a meta refresh', '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">a', 'a'],
  ['a base', '<base href="https://evil.test/">a', 'a'],
  [
    'a style sheet',
    '<link rel=stylesheet href="https://evil.test/x.css"><style>@import "https://evil.test/x.css";</style>a',
    'a',
  ],
  ['a style', '<p style="background:url(javascript:alert(1));width:expression(alert(1))">a</p>', '<p>a</p>'],
  ['a class and an id', '<p class="gate" id="site-config">a</p>', '<p>a</p>'],
  ['a comment', '<!-- <script>alert(1)</script> -->a', 'a'],
  ['a comment that ends early', '<!--><img src=x onerror=alert(1)>-->a', '--&gt;a'],
  ['a comment with a bang end', '<!--a--!><img src=x onerror=alert(1)>b-->c', 'b--&gt;c'],
  ['a conditional comment', '<!--[if IE]><script>alert(1)</script><![endif]-->a', 'a'],
  ['a character data section', '<![CDATA[<img src=x onerror=alert(1)>]]>a', ']]&gt;a'],
  ['a processing instruction', '<?xml version="1.0"?><?php echo 1 ?>a', 'a'],
  [
    'a doctype',
    '<!DOCTYPE html><html><head><title>t</title></head><body onload=alert(1)>a</body></html>',
    'a',
  ],
  [
    'a noscript that hides markup',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>a',
    '"&gt;a',
  ],
  ['a template', '<template><script>alert(1)</script></template>a', 'a'],
  [
    'a template with a shadow root',
    '<div><template shadowrootmode=open><script>alert(1)</script></template></div>a',
    'a',
  ],
  ['a textarea', '<textarea><img src=x onerror=alert(1)></textarea>a', 'a'],
  [
    'a title that hides markup',
    '<title><a href="</title><img src=x onerror=alert(1)>">b</title>a',
    '"&gt;ba',
  ],
  ['an xmp', '<xmp><img src=x onerror=alert(1)></xmp>a', 'a'],
  ['a plaintext', '<plaintext><img src=x onerror=alert(1)>a', '&lt;img src=x onerror=alert(1)&gt;a'],
  [
    'math with a mglyph',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '',
  ],
  [
    'math with an annotation',
    // The open paragraph keeps both end tags from closing anything.
    '<math><annotation-xml encoding="text/html"><p>b<img src=x onerror=alert(1)></annotation-xml></math>a',
    '',
  ],
  ['math with a link', '<math href="javascript:alert(1)">b</math>a', 'a'],
  [
    'a form that moves in the tree',
    '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
    '',
  ],
  [
    'a table that moves its contents',
    '<table><a href="javascript:alert(1)"><tr><td>a</td></tr></table>',
    '<table><tbody><tr><td>a</td></tr></tbody></table>',
  ],
  [
    'a select',
    '<select><option>b<style></option></select><img src=x onerror=alert(1)></style></select>a',
    'a',
  ],
  [
    'a video with a poster',
    '<video poster=javascript:alert(1) src=x onerror=alert(1)><source onerror=alert(1)>a</video>',
    'a',
  ],
  ['a marquee', '<marquee onstart=alert(1)>a</marquee>', 'a'],
  ['details that open', '<details open ontoggle=alert(1)><summary>a</summary></details>', '<p>a</p>'],
  ['a null byte in a tag', '<scr\u0000ipt>alert(1)</scr\u0000ipt>a', 'a'],
  ['a null byte in a link', '<a href="java\u0000script:alert(1)">a</a>', 'a'],
  ['an unclosed tag', '<p>a<b onmouseover=alert(1) ', '<p>a</p>'],
  ['an unclosed attribute', '<p>a</p><img src="x onerror=alert(1)>', '<p>a</p>'],
  ['a lone less-than sign', '<p>a < b <<b>c</b></p>', '<p>a &lt; b &lt;<b>c</b></p>'],
  ['escaped markup', '&lt;script&gt;alert(1)&lt;/script&gt;', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  [
    'twice escaped markup',
    '&amp;lt;img src=x onerror=alert(1)&amp;gt;',
    '&amp;lt;img src=x onerror=alert(1)&amp;gt;',
  ],
  ['a closing tag without an opening one', '</p></div></b>a', 'a'],
  ['an attribute with a backtick', '<p title=`onmouseover=alert(1)`>a</p>', '<p>a</p>'],
  [
    'an abbreviation that breaks out',
    '<abbr title="&quot; onmouseover=&quot;alert(1)">a</abbr>',
    '<abbr title="&quot; onmouseover=&quot;alert(1)">a</abbr>',
  ],
  ['a custom element', '<x-widget onfocus=alert(1) tabindex=1>a</x-widget>', 'a'],
  [
    'a namespaced tag',
    '<svg:script>alert(1)</svg:script><a xlink:href="javascript:alert(1)">a</a>',
    'alert(1)a',
  ],
  ['control characters in entities', 'a&#0;&#1;&#27;b&#x7f;&#xd800;', 'a\ufffd  b \ufffd'],
  ['half of a surrogate pair', 'a\ud800b', 'a�b'],
]

/** Valid and hostile pieces of markup for seeded random combinations. */
const pieces = [
  '<p>',
  '</p>',
  '<b>',
  '</b>',
  '<a href="https://a.test/?a=1&b=2">',
  '<a href="javascript:x">',
  '</a>',
  '<li>',
  '<ul>',
  '</ul>',
  '<br>',
  '</br>',
  '<h1>',
  '<h2>',
  '</h2>',
  '<div>',
  '</div>',
  '<script>',
  '</script>',
  '<noscript>',
  '</noscript>',
  '<svg>',
  '</svg>',
  '<math>',
  '<title>',
  '</title>',
  '<iframe>',
  '</iframe>',
  '<!--',
  '-->',
  '<textarea>',
  '<xmp>',
  '</xmp>',
  '<style>',
  '</style>',
  '<table>',
  '<td>',
  '<select>',
  '<option>',
  '<![CDATA[',
  ']]>',
  '<plaintext>',
  '<abbr title="',
  '<i onclick=x ',
  'a',
  ' ',
  '\n',
  '&lt;',
  '&amp;',
  '&',
  '"',
  "'",
  '<',
  '>',
  '/>',
]

/** Returns `count` combinations of pieces, the same in every run. */
function combinations(count: number): string[] {
  let state = 1
  const below = (limit: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + below(14) }, () => pieces[below(pieces.length)] ?? '').join(''),
  )
}

describe('cleanHtml', () => {
  it.each(hostile)('neutralizes %s', (_name, dirty, clean) => {
    const html = cleanHtml(dirty)
    expect(html).toBe(clean)
    expect(withoutMarkupKept(html)).not.toMatch(/[<>]/)
  })

  it('leaves only allowed markup of random combinations', () => {
    const unsafe = combinations(4000).filter((heap) => /[<>]/.test(withoutMarkupKept(cleanHtml(heap))))
    expect(unsafe).toEqual([])
  })

  it('is idempotent', () => {
    const dirty = [...hostile.map(([, html]) => html), ...combinations(2000)]
    const cleaned = dirty.map((html) => cleanHtml(html))
    expect(cleaned.map((html) => cleanHtml(html))).toEqual(cleaned)
  })

  it.each([
    '<b>',
    '<b>x',
    '<p><b>',
    '<div>',
    '<!--',
    '<iframe>',
    '<noscript>',
    '<svg><title>',
    '<a href="',
    '<',
  ])('cleans %s repeated to the length of a memo', (piece) => {
    const html = cleanHtml(piece.repeat(40_000 / piece.length))
    expect(withoutMarkupKept(html)).not.toMatch(/[<>]/)
  })

  it('limits the nesting depth', () => {
    const html = cleanHtml(`${'<b>'.repeat(10_000)}a`)
    expect(html.match(/<b>/g)?.length).toBe(30)
  })
})
