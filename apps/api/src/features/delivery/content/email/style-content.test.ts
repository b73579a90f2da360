import { expect, it } from 'vitest'
import { styleContent } from './style-content.ts'

it.each([
  ['<ol start="1998"><li>a</li></ol>', 60],
  ['<ol><li>a</li><li value="2004">b</li></ol>', 60],
  ['<ol start="4"><li>a</li></ol>', 26],
  ['<ol><li>start="1998"</li></ol>', 26],
])('gives the numbers of %s their room', (html, pixels) => {
  expect(styleContent(html).toString()).toContain(
    `<ol style="margin:0 0 14px;padding-inline-start:${pixels}px"`,
  )
})
