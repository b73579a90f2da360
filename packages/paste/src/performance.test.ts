import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { createElement, type HtmlElement, type HtmlNode, textOf } from './html-tree.ts'
import { normalizePaste } from './normalize-paste.ts'
import { parseHtml } from './testing/parse-html.ts'

/** Nests elements, each in the one before it. */
function nested(
  names: readonly string[],
  attributes: Readonly<Record<string, string>>,
  depth: number,
): HtmlElement {
  let node: HtmlNode = 'word'
  for (let level = depth; level > 0; level--)
    node = createElement(names[level % names.length] ?? '', attributes, [node])
  return createElement('body', {}, [node])
}

describe('10,000 nested elements', () => {
  const depth = 10_000
  const rows: [names: string[], attributes: Readonly<Record<string, string>>][] = [
    [['div'], {}],
    [['span'], { style: 'font-weight:700' }],
    [['b', 'span'], { style: 'font-weight:normal' }],
    [['ul', 'li'], { style: 'x:y' }],
    [['ul'], {}],
    [['blockquote', 'p'], { class: 'Apple-converted-space', style: 'mso-list:l0 level3 lfo1' }],
    [['span'], { class: 'EOP Apple-converted-space', style: 'vertical-align:super' }],
    [['td', 'div'], { dir: 'rtl', style: 'font:bold 1px x' }],
    [['em', 'a'], { href: '#x', style: 'text-decoration:underline' }],
    [['q'], { lang: 'de' }],
  ]

  test.each(rows)('of %j keep their word', (names, attributes) => {
    const text = textOf(normalizePaste(nested(names, attributes, depth), { language: 'en' }))
    expect(text.replaceAll(/[„“‚‘]/g, '')).toBe('word')
  })
})

it('a clipboard of 1 MB from Word keeps all its words', () => {
  const page = readFileSync(new URL('../fixtures/word-desktop.html', import.meta.url), 'utf8')
  const body = page.slice(page.indexOf('<!--StartFragment-->'), page.indexOf('<!--EndFragment-->'))
  const copies = Math.ceil(1_000_000 / body.length)
  const root = parseHtml(page.replace(body, () => body.repeat(copies)))
  const text = textOf(normalizePaste(root, { language: 'en' }))
  expect(text.match(/the report/g)).toHaveLength(copies)
})
