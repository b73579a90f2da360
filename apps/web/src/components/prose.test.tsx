import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { sanitizedByServer } from '../lib/prose/safe-html.ts'
import { Prose } from './prose.tsx'

it.each([
  ['<ol start="1998"><li>a</li></ol>', ['OL']],
  ['<ol type="1" start="-100"><li>a</li></ol>', ['OL']],
  ['<ol><li>a</li><li value="2004">b</li></ol>', ['LI']],
  ['<ol start="12"><li value="99">a</li></ol>', []],
  ['<p>start="1998"</p>', []],
])('marks the long numbers of %s', (html, marked) => {
  const { container } = render(<Prose html={sanitizedByServer(html)} />)

  expect([...container.querySelectorAll('.long-number')].map(({ tagName }) => tagName)).toEqual(marked)
  expect(container.querySelector('.prose')?.textContent).not.toContain('class')
})
