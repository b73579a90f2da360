import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parseFragment, serialize } from 'parse5'
import { describe, expect, it } from 'vitest'
import {
  blockTags,
  headingTags,
  inlineTags,
  paragraphTags,
  renamedTags,
  tableParents,
} from './allowed-html.ts'
import { cleanHtml, listRemoved } from './clean-html.ts'

// One seed, so that a run fails for a change only.
const runs = { numRuns: 4000, seed: 30 }

type Word = { word: string; around: string[] }

const links = ['https://a.test/', '#a', 'javascript:x', 'mailto:a@b.test']
const disallowed = ['font', 'small', 'mark', 'label', 'button', 'x-card', 'cite', 'big', 'tt', 'nobr']
const tags = [...inlineTags, ...blockTags, ...Object.keys(renamedTags), ...paragraphTags, ...disallowed]
const words = ['one ', 'two', ' & ', '<3', '\n', ' 東京', 'é', '🙂']

const text = fc.constantFrom(...words).map(escapeText)
const ofAuthors = ['', ' lang="fr"', ' dir="rtl"', ' title="a"']
const ofPrograms = [' style="font-weight:700"', ' class="a"', ' style="font-style:normal"']

/** Nested elements in any order, which parsers then move. */
const authored = htmlWith(ofAuthors)
const anyHtml = htmlWith([...ofAuthors, ...ofPrograms])

function htmlWith(attributes: readonly string[]): fc.Arbitrary<string> {
  return fc.letrec<{ html: string; element: string }>((tie) => ({
    html: fc
      .array(fc.oneof({ depthSize: 'small' }, text, tie('element')), { maxLength: 4 })
      .map((parts) => parts.join('')),
    element: fc.oneof(
      fc
        .tuple(fc.constantFrom(...tags), fc.constantFrom(...attributes), tie('html'))
        .map(([tag, given, inner]) => `<${tag}${given}>${inner}</${tag}>`),
      fc
        .tuple(fc.constantFrom(...links), tie('html'))
        .map(([href, inner]) => `<a href="${href}">${inner}</a>`),
      tie('html').map((inner) => `<table><tr><td>${inner}</td><td>x</td></tr></table>`),
      fc.constantFrom('<br>', '<hr>', '<img alt="x">', '<!-- x -->'),
    ),
  })).html
}

describe('cleanHtml', () => {
  it('keeps the text, but for white space', () => {
    fc.assert(
      fc.property(anyHtml, (html) => {
        expect(lettersOf(cleanHtml(html))).toBe(lettersOf(html))
      }),
      runs,
    )
  })

  it('keeps the allowed elements around each word', () => {
    fc.assert(
      fc.property(authored, (html) => {
        const expected = listWords(html).map(({ word, around }) => ({ word, around: whatStays(around) }))
        const actual = listWords(cleanHtml(html)).map(({ word, around }) => ({
          word,
          around: whatStays(around),
        }))
        expect(actual).toEqual(expected)
      }),
      runs,
    )
  })

  it('changes nothing when repeated', () => {
    fc.assert(
      fc.property(anyHtml, (html) => {
        const once = cleanHtml(html)
        expect(cleanHtml(once)).toBe(once)
        expect(listRemoved(once)).toEqual([])
      }),
      runs,
    )
  })

  it('writes what a parser reads in the same way', () => {
    fc.assert(
      fc.property(anyHtml, (html) => {
        const clean = cleanHtml(html)
        expect(serialize(parseFragment(clean)).replaceAll('&nbsp;', '\u00a0')).toBe(clean)
      }),
      runs,
    )
  })
})

function lettersOf(html: string): string {
  return listWords(html)
    .map(({ word }) => word)
    .join('')
}

/** Returns each letter of a text with the elements around it, as a browser nests them. */
function listWords(html: string): Word[] {
  const found: Word[] = []
  const visit = (nodes: DefaultTreeAdapterTypes.ChildNode[], around: string[]) => {
    for (const node of nodes) {
      if ('tagName' in node) visit(node.childNodes, [...around, nameOf(node)])
      else if ('value' in node)
        found.push(...[...node.value.replaceAll(/\s/g, '')].map((word) => ({ word, around })))
    }
  }
  visit(parseFragment(html).childNodes, [])
  return found
}

function nameOf({ tagName, attrs }: DefaultTreeAdapterTypes.Element): string {
  const has = (name: string) => attrs.some((attribute) => attribute.name === name)
  const isLink = attrs.some(({ value }) => /^(https|mailto):/.test(value))
  if (tagName === 'a' && isLink) return 'a'
  if (['a', 'span', ...disallowed].includes(tagName)) return has('lang') || has('dir') ? 'span' : 'none'
  return renamedTags[tagName] ?? tagName
}

/** Returns what stays of the elements around a word, in alphabetical order. */
function whatStays(around: string[]): string[] {
  const kept = around.filter((name, index) => {
    const before = around.slice(0, index)
    if (paragraphTags.includes(name) || name === 'p' || name === 'none') return false
    // A second link, table, heading, item or annotation directly inside another can't be written.
    if (name === 'a') return !before.includes('a')
    if (headingTags.includes(name)) return !before.some((each) => headingTags.includes(each))
    if (name === 'rt' || name === 'rp') return !before.includes('rt') && !before.includes('rp')
    if (name === 'table' || name in tableParents)
      return !before.slice(0, before.indexOf('table')).includes('table')
    return inlineTags.includes(name) || blockTags.includes(name)
  })
  return kept.filter((name, index) => kept.indexOf(name) === index).sort()
}

function escapeText(word: string): string {
  return word.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
