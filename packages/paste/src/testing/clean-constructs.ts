import fc from 'fast-check'

/** Texts as the API's cleaner writes them, at least one for each construct that it keeps. */
export const cleanConstructs: Readonly<Record<string, string>> = {
  paragraphs: '<p>One &amp; two &lt; three.</p><p>Four.</p>',
  'words without a paragraph': 'Bare <strong>words</strong>.',
  'line breaks': '<p>One<br>two<br><br>three</p>',
  'a line break in an element': '<p><em>One<br>two</em></p>',
  'a rule': '<p>One</p><hr><p>Two</p>',
  headings: '<h2>One</h2><p>Text</p><h3>Two</h3><p>Text</p>',
  'a heading of paragraphs': '<h2><p>One</p><p>Two</p></h2>',
  emphasis: '<p><strong>a</strong> <b>b</b> <em>c</em> <i>d</i> <u>e</u> <s>f</s> <ins>g</ins></p>',
  'emphasis in emphasis':
    '<p><b><i>a</i></b> <i><b>b</b></i> <i>c <b>d</b> e</i> <b><i>f</i></b><i>g</i></p>',
  'elements side by side': '<p><b>a</b><b>b</b></p>',
  'code, raised and lowered': '<p><code>x</code><sup>2</sup> H<sub>2</sub>O</p>',
  'an abbreviation': '<p><abbr title="World Health &quot;Org&quot;">WHO</abbr></p>',
  'a link':
    '<p><a href="https://ports.example/a?b=1&amp;c=2" rel="noopener noreferrer" target="_blank">Trieste</a></p>',
  'a link to a mailbox': '<p><a href="mailto:desk@tidings.example">Write</a></p>',
  'a link in a language':
    '<p><a href="https://a.example/" rel="noopener noreferrer" target="_blank" lang="it">Porto <em>di</em></a></p>',
  languages: '<p dir="rtl" lang="ar">سلام</p><p>A <span lang="de">Wort <span dir="rtl">x</span></span></p>',
  isolation: '<p><bdi>a</bdi> <bdo dir="rtl">b</bdo></p>',
  ruby: '<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby><ruby>字<rp>(</rp><rt>ji</rt><rp>)</rp></ruby></p>',
  lists: '<ul><li>One</li><li>Two</li></ul><ol start="3" type="a"><li>A</li><li value="7">B</li></ol>',
  'lists in lists': '<ol><li>One<ul><li>Two<ol type="i"><li>Three</li></ol></li></ul></li><li>Four</li></ol>',
  'an empty item': '<ul><li>One</li><li></li></ul>',
  'paragraphs in items': '<ul><li><p>One</p><p>Two</p></li><li>Three<p>Four</p></li></ul>',
  'a quote': '<blockquote><p>One</p><ul><li>Two</li></ul></blockquote><blockquote>Bare</blockquote>',
  'a quote in a quote': '<blockquote><p>One</p><blockquote><p>Two</p></blockquote></blockquote>',
  'a table': '<table><tbody><tr><td>a</td><td>b</td></tr><tr><td>c</td><td></td></tr></tbody></table>',
  'a table with a caption and sections':
    '<table><caption>Prices <em>now</em></caption><thead><tr><th scope="col">Port</th><th>Price</th></tr></thead><tbody><tr><td>Bergen</td><td>1</td></tr></tbody><tfoot><tr><td>All</td><td>1</td></tr></tfoot></table>',
  'two bodies of a table':
    '<table><tbody><tr><td>a</td></tr></tbody><tbody lang="de"><tr><td>b</td></tr></tbody></table>',
  'cells over cells':
    '<table><tbody><tr><td colspan="2">a</td></tr><tr><td rowspan="2">b</td><td>c</td></tr><tr><td>d</td></tr></tbody></table>',
  'blocks in cells': '<table><tbody><tr><td><p>a</p><ul><li>b</li></ul></td></tr></tbody></table>',
}

const words = fc.constantFrom('harbour', 'price 5 & 6', 'a < b', 'für', 'سلام', '“quoted”', '漢字', '👩🏽‍🚒')

const inlineTags = [
  'strong',
  'b',
  'em',
  'i',
  'u',
  's',
  'ins',
  'code',
  'sup',
  'sub',
  'bdi',
  'span lang="de"',
  'a',
]

const { inline } = fc.letrec<{ inline: string }>((tie) => ({
  inline: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    words.map((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
    fc.tuple(tie('inline'), tie('inline')).map(([one, two]) => `${one} ${two}`),
    fc.tuple(tie('inline'), tie('inline')).map(([one, two]) => `${one}<br>${two}`),
    fc
      .tuple(fc.constantFrom(...inlineTags), tie('inline'))
      // An element in itself says nothing more, and the cleaner keeps links apart.
      .map(([tag, content]) => (content.includes(`<${tag}`) ? content : element(tag, content))),
  ),
}))

const { block } = fc.letrec<{ block: string }>((tie) => {
  const blocks = fc.array(tie('block'), { minLength: 1, maxLength: 3 }).map((each) => each.join(''))
  const items = fc
    .array(fc.oneof(inline, blocks), { minLength: 1, maxLength: 3 })
    .map((each) => each.map((content) => element('li', content)).join(''))
  const cells = fc
    .array(fc.tuple(fc.constantFrom('td', 'th'), inline), { minLength: 2, maxLength: 2 })
    .map((each) => element('tr', each.map(([tag, content]) => element(tag, content)).join('')))
  return {
    block: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      inline.map((content) => element('p', content)),
      fc.tuple(fc.constantFrom('h2', 'h3'), inline).map(([tag, content]) => element(tag, content)),
      fc
        .tuple(fc.constantFrom('ul', 'ol', 'ol start="4"'), items)
        .map(([tag, content]) => element(tag, content)),
      blocks.map((content) => element('blockquote', content)),
      fc.constant('<hr>'),
      fc
        .array(cells, { minLength: 1, maxLength: 3 })
        .map((rows) => element('table', element('tbody', rows.join('')))),
    ),
  }
})

/** Any text that the cleaner leaves as it is. */
export const cleanText = fc.array(block, { minLength: 1, maxLength: 4 }).map((each) => each.join(''))

function element(tag: string, content: string): string {
  const start =
    tag === 'a' ? 'a href="https://a.example/b?c=1&amp;d=2" rel="noopener noreferrer" target="_blank"' : tag
  return `<${start}>${content}</${tag.split(' ')[0]}>`
}
