import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Prose } from './prose.tsx'
import { sanitizedByServer } from './safe-html.ts'

it.each([
  ['<ol start="1998"><li>a</li></ol>', ['ol']],
  ['<ol type="1" start="-100"><li>a</li></ol>', ['ol']],
  ['<ol><li>a</li><li value="2004">b</li></ol>', ['li']],
  ['<ol start="12"><li value="99">a</li></ol>', []],
  ['<p>start="1998"</p>', []],
])('marks the long numbers of %s', (html, marked) => {
  const shown = renderToStaticMarkup(<Prose html={sanitizedByServer(html)} />)

  expect([...shown.matchAll(/<(\w+) class="long-number"/g)].map(([, name]) => name)).toEqual(marked)
  expect(shown).toMatch(/^<div dir="auto" class="prose">/)
})
