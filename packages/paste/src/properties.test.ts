import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createElement,
  descendants,
  type HtmlElement,
  type HtmlNode,
  isElement,
  textOf,
} from './html-tree.ts'
import { normalizePaste } from './normalize-paste.ts'
import { parseHtml, toHtml } from './testing/parse-html.ts'

const runs = { numRuns: 300, seed: 49 }
const words = fc.constantFrom('one', 'two ', ' three', '5', ' ', '\n', 'می‌خواهم', '👩‍👩‍👧', '<&>', 'a\u00a0b')
const inlineNames = 'strong b em i u s ins a code sup sub abbr span bdi ruby'.split(' ')
const blockNames = 'p h2 h3 blockquote'.split(' ')

/** Trees of what the cleaner keeps, nested as HTML allows. */
const cleanTree = fc.letrec<{ inline: HtmlNode; block: HtmlElement; list: HtmlElement; root: HtmlElement }>(
  (tie) => ({
    inline: fc.oneof(
      { depthSize: 'small' },
      words,
      fc
        .record({
          name: fc.constantFrom(...inlineNames),
          children: fc.array(tie('inline'), { maxLength: 3 }),
        })
        .map(({ name, children }) => createElement(name, {}, children)),
    ),
    block: fc.oneof(
      { depthSize: 'small' },
      fc
        .record({ name: fc.constantFrom(...blockNames), children: fc.array(tie('inline'), { maxLength: 4 }) })
        .map(({ name, children }) => createElement(name, {}, children)),
      tie('list'),
    ),
    list: fc
      .record({
        name: fc.constantFrom('ol', 'ul'),
        start: fc.option(fc.constantFrom('1', '4', '12')),
        items: fc.array(
          fc.record({ own: fc.array(tie('inline'), { maxLength: 3 }), list: fc.option(tie('list')) }),
          {
            minLength: 1,
            maxLength: 3,
          },
        ),
      })
      .map(({ name, start, items }) =>
        createElement(
          name,
          name === 'ol' && start !== null ? { start } : {},
          items.map(({ own, list }) => createElement('li', {}, list === null ? own : [...own, list])),
        ),
      ),
    root: fc.array(tie('block'), { maxLength: 5 }).map((children) => createElement('body', {}, children)),
  }),
)

const styles = fc.constantFrom(
  'font-weight:700',
  'FONT-WEIGHT : Bold !important; color:red',
  'font-weight:normal',
  'font-style:italic;font-weight:400',
  'font-style:normal',
  'text-decoration:line-through underline',
  'text-decoration:none',
  'vertical-align:super',
  'vertical-align:baseline',
  'font:bold 12px Arial',
  "font-family:'Roboto Mono'",
  'mso-list:l0 level2 lfo1',
  'mso-list:l1 level1 lfo3',
  'mso-spacerun:yes',
  'white-space:pre-wrap',
  'list-style-type:lower-alpha',
  ';;:x;"',
)
const classes = fc.constantFrom(
  'MsoNormal',
  'MsoListParagraph',
  's1',
  'ListContainerWrapper',
  'Apple-converted-space',
  'x',
)
const names = fc.constantFrom(
  ...'p div span b strong i em u s a ul ol li td table font o:p h1 th sup pre section q'.split(' '),
)

const styledTree: fc.Arbitrary<HtmlElement> = fc
  .letrec<{ node: HtmlNode; element: HtmlElement }>((tie) => ({
    node: fc.oneof({ depthSize: 'medium' }, words, tie('element')),
    element: fc
      .record({
        name: names,
        style: fc.option(styles),
        class: fc.option(classes),
        lang: fc.option(fc.constantFrom('de', 'en-US', 'x-none')),
        others: fc.dictionary(
          fc.constantFrom('data-aria-level', 'href', 'dir', 'start'),
          fc.constantFrom('1', '2', 'rtl', '#'),
        ),
        children: fc.array(tie('node'), { maxLength: 4 }),
      })
      .map(({ name, style, class: className, lang, others, children }) =>
        createElement(
          name,
          {
            ...others,
            ...(style !== null && { style }),
            ...(className !== null && { class: className }),
            ...(lang !== null && { lang }),
          },
          children,
        ),
      ),
  }))
  .element.map((element) => createElement('body', {}, [element]))

function normalize(root: HtmlElement): HtmlElement {
  return normalizePaste(root, { language: 'en' })
}

/** Returns the characters that show, without the quotation marks and list markers that stand for elements. */
function visible(root: HtmlElement): string {
  return textOf(root).replaceAll(/[\s“”‘’„‚]/g, '')
}

describe('normalizing', () => {
  it('leaves HTML without styles unchanged', () => {
    fc.assert(
      fc.property(cleanTree.root, (root) => {
        expect(toHtml(normalize(root))).toBe(toHtml(root))
      }),
      runs,
    )
  })

  it('twice equals once, for any styles', () => {
    fc.assert(
      fc.property(styledTree, (root) => {
        const once = normalize(root)
        expect(toHtml(normalize(once))).toBe(toHtml(once))
      }),
      runs,
    )
  })

  it('loses and repeats no visible character, for any styles', () => {
    fc.assert(
      fc.property(styledTree, (root) => {
        expect(visible(normalize(root))).toBe(visible(root))
      }),
      runs,
    )
  })

  it('leaves no style, class or comment, for any HTML', () => {
    fc.assert(
      fc.property(styledTree, (root) => {
        for (const node of descendants(normalize(root))) {
          expect(typeof node === 'string' || isElement(node)).toBe(true)
          if (isElement(node)) expect(Object.keys(node.attributes)).not.toContain('style')
        }
      }),
      runs,
    )
  })

  it('reads any markup that a parser reads', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(
            '<b>',
            '</b>',
            '<p style=',
            '"',
            '<ul>',
            '<li>',
            '<![if !supportLists]>',
            '<!--',
            '-->',
            'x',
            '&',
          ),
        }),
        (html) => {
          const once = normalize(parseHtml(html))
          expect(toHtml(normalize(once))).toBe(toHtml(once))
        },
      ),
      runs,
    )
  })
})
