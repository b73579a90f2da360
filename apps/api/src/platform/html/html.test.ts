import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { describe, expect, it } from 'vitest'
import { html, jsonHtml, rawHtml } from './html.ts'

const hostile = `<b class="x">Tom's & co</b>`

/** Returns the first element of HTML, as a browser parses it. */
function elementOf(source: string): DefaultTreeAdapterTypes.Element {
  const [node] = parseFragment(source).childNodes
  if (node === undefined || !('attrs' in node)) throw new Error(`No element begins ${source}`)
  return node
}

describe('html', () => {
  it.each([
    [
      'a text in an element',
      html`<p>${hostile}</p>`,
      '<p>&lt;b class=&quot;x&quot;&gt;Tom&#39;s &amp; co&lt;/b&gt;</p>',
    ],
    ['a text in an attribute', html`<p title="${'"><script>'}">`, '<p title="&quot;&gt;&lt;script&gt;">'],
    ['a text in single quotes', html`<p title='${"' onclick='x"}'>`, "<p title='&#39; onclick=&#39;x'>"],
    ['an escaped text again', html`${'&amp;'}`, '&amp;amp;'],
    ['an array of texts', html`${['<', '>']}`, '&lt;&gt;'],
    ['a number', html`<p>${0}</p>`, '<p>0</p>'],
  ])('escapes %s', (_name, written, expected) => {
    expect(written.toString()).toBe(expected)
  })

  it.each([
    ['a template', html`<p>${html`<b>${'<'}</b>`}</p>`, '<p><b>&lt;</b></p>'],
    [
      'an array of templates',
      html`<ul>${['a', '<'].map((item) => html`<li>${item}</li>`)}</ul>`,
      '<ul><li>a</li><li>&lt;</li></ul>',
    ],
    ['arrays in arrays', html`${[[html`<br>`], ['<', [html`<hr>`]]]}`, '<br>&lt;<hr>'],
    ['sanitized HTML', html`<div>${rawHtml('<p>a &amp; b</p>')}</div>`, '<div><p>a &amp; b</p></div>'],
  ])('inserts %s as it is', (_name, written, expected) => {
    expect(written.toString()).toBe(expected)
  })

  it.each([[undefined], [null], [false], [''], [[]]] as const)('adds nothing for %j', (value) => {
    expect(html`<p>${value}</p>`.toString()).toBe('<p></p>')
  })

  it('keeps any text in elements and attributes', () => {
    const markup = fc.constantFrom('"', "'", '<', '>', '&', '&lt', '&#39;', '</p>', '<!--', '=', '`', ' ')
    const any = fc.string({ unit: 'binary', maxLength: 3 })
    // A parser replaces NUL and carriage returns, and no text is stored with unpaired surrogates.
    const text = fc
      .array(fc.oneof(markup, any))
      .map((parts) => parts.join('').replaceAll(/[\0\r]|[^\P{Cs}]/gu, ' '))
    fc.assert(
      fc.property(text, (written) => {
        const element = elementOf(html`<p title="${written}" lang='${written}'>${written}</p>`.toString())
        expect(element.attrs.map(({ value }) => value)).toEqual([written, written])
        const texts = element.childNodes.map((node) => ('value' in node ? node.value : node.nodeName))
        expect(texts.join()).toBe(written)
      }),
      { numRuns: 500, seed: 34 },
    )
  })
})

it('jsonHtml can’t end its element', () => {
  const data = { text: '</script><!--<script>' }
  const [node] = elementOf(
    html`<script type="application/json">${jsonHtml(data)}</script>`.toString(),
  ).childNodes
  expect(node !== undefined && 'value' in node && JSON.parse(node.value)).toEqual(data)
})
