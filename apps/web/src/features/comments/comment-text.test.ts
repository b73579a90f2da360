import { describe, expect, it } from 'vitest'
import { textOfComment } from './comment-text.ts'

describe('textOfComment', () => {
  it.each([
    ['One<br />Two<br /><br />Three', 'One\nTwo\n\nThree'],
    ['Tom &amp; Jerry say &lt;b&gt;', 'Tom & Jerry say <b>'],
    ['<p>One <b>bold</b> word</p><p>Two</p>', 'One bold word\n\nTwo'],
    ['<ul><li>A</li><li>B</li></ul>', 'A\n\nB'],
  ])('turns %j back into what was written', (html, text) => {
    expect(textOfComment(html)).toBe(text)
  })
})
