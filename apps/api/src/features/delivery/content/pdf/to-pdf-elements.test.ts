import { describe, expect, it, test } from 'vitest'
import type { PdfCell, PdfElement, PdfNode } from '#integrations/pdf/pdf-document.ts'
import { cleanHtml } from '#platform/html/clean-html.ts'
import { toPdfElements } from './to-pdf-elements.ts'

/** Writes elements as short markup: `p[a link]`. */
function outline(node: PdfNode): string {
  if (typeof node === 'string') return node
  const { lang, region, dir } = node
  const language = [lang, region, dir].filter((part) => part !== '').join('-')
  const level = node.tag === 'heading' ? node.level : node.tag === 'numbered-item' ? node.mark : ''
  const url = node.tag === 'a' ? `(${node.url})` : ''
  return `${node.tag}${level}${url}${language === '' ? '' : `:${language}`}[${node.children.map(outline).join('')}]`
}

function bodyOf(html: string): string {
  return toPdfElements(cleanHtml(html)).children.map(outline).join(' ')
}

describe('toPdfElements', () => {
  test.each([
    ['paragraphs', '<p>One</p>\n<p>Two</p>', 'p[One] p[Two]'],
    ['text without paragraphs', 'One <b>two</b><p>Three</p>four', 'p[One strong[two]] p[Three] p[four]'],
    ['white space as browsers do', '<p> a\n b <em> c</em>&nbsp; d </p>', 'p[a b em[c]\u00a0 d ]'],
    [
      'links',
      '<p><a href="https://example.com/a?b=1&amp;c=2">x</a></p>',
      'p[a(https://example.com/a?b=1&c=2)[x]]',
    ],
    ['entities once', '<p>5 &lt; 6 &amp;amp; #raw[x] $1$</p>', 'p[5 < 6 &amp; #raw[x] $1$]'],
    [
      'lists within lists',
      '<ul><li>a<ol><li>b</li></ol></li></ul>',
      'ul[li[line[a]ol[numbered-item1[line[b]]]]]',
    ],
    ['quotes', '<blockquote>a<p>b</p></blockquote>', 'blockquote[p[a]p[b]]'],
    ['breaks', '<p>a<br>b</p>', 'p[abr[]b]'],
    [
      'headings without a gap',
      '<h3>a</h3><h3>b</h3><h2>c</h2><h3>d</h3>',
      'heading1[a] heading2[b] heading1[c] heading2[d]',
    ],
    ['languages', '<p lang="pt-BR">a <span lang="ar" dir="rtl">b</span></p>', 'p:pt-br[a span:ar-rtl[b]]'],
    [
      'a direction by the first letter',
      '<p dir="auto">1 ש</p><p>a <bdi>ש</bdi></p>',
      'p:rtl[1 ש] p[a span:rtl[ש]]',
    ],
    ['ruby in brackets', '<p><ruby>漢<rp>(</rp><rt>kan</rt></ruby></p>', 'p[span[漢 (kan)]]'],
  ])('converts %s', (_name, html, expected) => {
    expect(bodyOf(html)).toBe(expected)
  })

  // The cleaner decides which of these arrive here.
  test.each([
    ['from 1', '<ol><li>a</li><li>b</li></ol>', ['1', '2']],
    ['from its start', '<ol start="4"><li>a</li><li>b</li></ol>', ['4', '5']],
    ['on from a value', '<ol start="4"><li>a</li><li value="9">b</li><li>c</li></ol>', ['4', '9', '10']],
    ['below zero', '<ol start="-1"><li>a</li><li>b</li><li value="0">c</li></ol>', ['-1', '0', '0']],
    ['from 1 if its start is no integer', '<ol start="x"><li value="1.5">a</li>b</ol>', ['1', '2']],
    ['in letters', '<ol type="a" start="26"><li>a</li><li>b</li></ol>', ['z', 'aa']],
  ])('numbers a list %s', (_name, html, expected) => {
    const [list] = toPdfElements(html).children
    const items = typeof list === 'object' && list.tag === 'ol' ? list.children : []
    expect(items.map(({ mark }) => mark)).toEqual(expected)
  })

  it('keeps what was inserted', () => {
    expect(toPdfElements('<p>12 <ins>14</ins></p>').children.map(outline)).toEqual(['p[12 ins[14]]'])
  })

  it('has the direction of its first letter', () => {
    expect(toPdfElements(cleanHtml('<p>12 שלום</p>')).dir).toBe('rtl')
  })

  it('shows what is deeper than Typst can follow as text', () => {
    const deep = bodyOf(`${'<ul><li>'.repeat(14)}end${'</li></ul>'.repeat(14)}`)
    expect(deep.match(/ul/g)).toHaveLength(12)
    expect(deep).toContain('[end]')
  })
})

function tableOf(html: string): Extract<PdfElement, { tag: 'table' }> {
  const table = toPdfElements(cleanHtml(`<table>${html}</table>`)).children[0]
  if (typeof table !== 'object' || table.tag !== 'table') throw new Error('no table')
  return table
}

function places(rows: readonly (readonly PdfCell[])[]): string[] {
  return rows.flat().map((cell) => {
    const spans = cell.colspan + cell.rowspan === 2 ? '' : ` ${cell.colspan}x${cell.rowspan}`
    return `${cell.children.map(outline).join('')}@${cell.x},${cell.y}${spans}`
  })
}

describe('a table', () => {
  it('places cells around those that span rows and columns', () => {
    const table = tableOf(
      '<tr><td rowspan="2">a</td><td colspan="2">b</td></tr><tr><td>c</td><td>d</td><td>e</td></tr><tr><td rowspan="9">f</td></tr>',
    )
    expect(places(table.rows)).toEqual([
      'line[a]@0,0 1x2',
      'line[b]@1,0 2x1',
      'line[c]@1,1',
      'line[d]@2,1',
      'line[e]@3,1',
      'line[f]@0,2',
    ])
    expect(table.columns).toBe(4)
  })

  it('keeps a cell that spans columns off one that spans rows from above', () => {
    const table = tableOf(
      '<tr><td>a</td><td rowspan="2">b</td></tr><tr><td colspan="3">c</td><td>d</td></tr>',
    )
    expect(places(table.rows)).toEqual(['line[a]@0,0', 'line[b]@1,0 1x2', 'line[c]@0,1', 'line[d]@2,1'])
  })

  it.each([
    ['its thead', '<thead><tr><th>h</th></tr></thead><tbody><tr><td>a</td></tr></tbody>'],
    ['a first row of headings', '<tr><th>h</th></tr><tr><td>a</td></tr>'],
  ])('has %s as its head', (_name, html) => {
    const { head, rows } = tableOf(html)
    expect([places(head), places(rows)]).toEqual([['line[h]@0,0'], ['line[a]@0,1']])
  })

  it('keeps its caption', () => {
    const { caption } = tableOf('<caption>Votes</caption><tr><td>1</td></tr>')
    expect(caption?.children.map(outline)).toEqual(['line[Votes]'])
  })
})
