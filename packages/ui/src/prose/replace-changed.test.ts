import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { replaceChanged } from './replace-changed.ts'

function elementWith(html: string): HTMLElement {
  const element = document.createElement('div')
  element.innerHTML = html
  return element
}

/** Shows one HTML after another. Returns what is shown, and which of its nodes were there before. */
function replace(before: string, after: string) {
  const element = elementWith(before)
  const old = [...element.childNodes]
  replaceChanged(element, after)
  return { html: element.innerHTML, kept: [...element.childNodes].map((node) => old.indexOf(node)) }
}

const isNew = -1

describe('a text that is replaced', () => {
  it.each([
    ['nothing', '<p>a</p><p>b</p>', '<p>a</p><p>b</p>', [0, 1]],
    ['a block between others', '<p>a</p><p>b</p><p>c</p>', '<p>a</p><p>B</p><p>c</p>', [0, isNew, 2]],
    ['the first block', '<p>a</p><p>b</p>', '<h2>a</h2><p>b</p>', [isNew, 1]],
    ['the last block', '<p>a</p><p>b</p>', '<p>a</p><p>b<b>c</b></p>', [0, isNew]],
    [
      'one block by two',
      '<p>a</p><p>b</p><p>c</p>',
      '<p>a</p><p>x</p><p>y</p><p>c</p>',
      [0, isNew, isNew, 2],
    ],
    ['two blocks by none', '<p>a</p><p>b</p><p>c</p><p>d</p>', '<p>a</p><p>d</p>', [0, 3]],
    ['one of equal blocks by none', '<p>a</p><p>a</p><p>a</p>', '<p>a</p><p>a</p>', [0, 1]],
    ['nothing by one of equal blocks', '<p>a</p><p>a</p>', '<p>a</p><p>a</p><p>a</p>', [0, 1, isNew]],
    ['an attribute', '<ol><li>a</li></ol><p>b</p>', '<ol start="3"><li>a</li></ol><p>b</p>', [isNew, 1]],
    ['words outside of blocks', 'a<p>b</p>c', 'x<p>b</p>c', [isNew, 1, 2]],
    ['all of it', '<p>a</p>', '<ul><li>b</li></ul>', [isNew]],
    ['all of it by nothing', '<p>a</p><p>b</p>', '', []],
    ['nothing by a text', '', '<p>a</p><p>b</p>', [isNew, isNew]],
  ])('changes %s', (_name, before, after, kept) => {
    expect(replace(before, after)).toMatchObject({ html: after, kept })
  })

  it('is the same as one that is shown whole, and keeps the nodes of the same beginning and end', () => {
    const block = fc.constantFrom(
      '<p>a</p>',
      '<p>b</p>',
      '<p><b>a</b></p>',
      '<h2>a</h2>',
      '<ul><li>a</li></ul>',
    )
    // Few kinds of blocks, so that many texts have beginnings and ends in common.
    const blocks = fc.array(block, { maxLength: 6 })
    const changed = fc.record({ start: blocks, before: blocks, after: blocks, end: blocks })
    fc.assert(
      fc.property(changed, ({ start, before, after, end }) => {
        const [from, to] = [
          [...start, ...before, ...end],
          [...start, ...after, ...end],
        ]
        const { html, kept } = replace(from.join(''), to.join(''))

        expect(html).toBe(elementWith(to.join('')).innerHTML)
        const same = kept.filter((index) => index !== isNew)
        expect(same.length).toBeGreaterThanOrEqual(start.length + end.length)
        expect(same).toEqual([...new Set(same)].toSorted((a, b) => a - b))
      }),
      { seed: 37, numRuns: 500 },
    )
  })
})
