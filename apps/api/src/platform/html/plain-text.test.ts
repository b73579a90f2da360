import { describe, expect, it } from 'vitest'
import { plainTextCases } from '#test/plain-text-cases.ts'
import { letterText, plainText } from './plain-text.ts'

describe('plainText', () => {
  it.each(plainTextCases)('writes $html', ({ html, text }) => {
    expect(plainText(html)).toBe(text)
  })
})

describe('letterText', () => {
  it.each([
    ['paragraphs with a line between them', '<p>One<br>two</p><p>Three</p>', 'One\ntwo\n\nThree'],
    ['items with marks', '<p>a</p><ul><li>b</li><li>c</li></ul><p>d</p>', 'a\n\n- b\n- c\n\nd'],
    ['numbers of items', '<ol start="4"><li>a</li><li value="9">b</li><li>c</li></ol>', '4. a\n9. b\n10. c'],
    [
      'items of items further in',
      '<ul><li>a<ol><li>b</li><li>c</li></ol></li><li>d</li></ul>',
      '- a\n  1. b\n  2. c\n- d',
    ],
    ['quotations with marks', '<blockquote><p>a</p><p>b</p></blockquote><p>c</p>', '> a\n>\n> b\n\nc'],
    [
      'lines of an item below its first',
      '<ul><li>a<br>b<p>c</p></li></ul><ol><li>d</li></ol><table><tr><td>e</td></tr></table>',
      '- a\n  b\n  c\n\n1. d\n\ne',
    ],
    [
      'rows',
      '<table><tr><th>City</th><th>Rain</th></tr><tr><td>Oslo</td><td>763 mm</td></tr></table>',
      'City | Rain\nOslo | 763 mm',
    ],
    [
      'the address of a link after its words',
      '<p>Read <a href="https://a.test/x?a=1&amp;b=2">this <b>page</b></a>.</p>',
      'Read this page (https://a.test/x?a=1&b=2).',
    ],
    ['an address that is the words once', '<a href="https://a.test/">https://a.test</a>', 'https://a.test'],
    [
      'an address once, however often it is linked',
      '<p><a href="https://a.test/">a</a>, <a href="https://a.test/">b</a></p>',
      'a (https://a.test/), b',
    ],
    ['a mail address', '<a href="mailto:desk@a.test">Write to us</a>', 'Write to us (desk@a.test)'],
  ])('writes %s', (_name, html, text) => {
    expect(letterText(html)).toBe(text)
  })
})
