import {
  type Arbitrary,
  array,
  assert,
  constantFrom,
  dictionary,
  letrec,
  oneof,
  option,
  property,
  record,
  string,
} from 'fast-check'
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

const runs = { numRuns: 300 }
const words = constantFrom('one', 'two ', ' three', '5', ' ', '\n', 'می‌خواهم', '👩‍👩‍👧', '<&>', 'a\u00a0b')
const inlineNames = 'strong b em i u s ins a code sup sub abbr span bdi ruby'.split(' ')
const blockNames = 'p h2 h3 blockquote'.split(' ')

/** Trees of what the cleaner keeps, nested as HTML allows. */
const cleanTree = letrec<{ inline: HtmlNode; block: HtmlElement; list: HtmlElement; root: HtmlElement }>(
  (tie) => ({
    inline: oneof(
      { depthSize: 'small' },
      words,
      record({ name: constantFrom(...inlineNames), children: array(tie('inline'), { maxLength: 3 }) }).map(
        ({ name, children }) => createElement(name, {}, children),
      ),
    ),
    block: oneof(
      { depthSize: 'small' },
      record({ name: constantFrom(...blockNames), children: array(tie('inline'), { maxLength: 4 }) }).map(
        ({ name, children }) => createElement(name, {}, children),
      ),
      tie('list'),
    ),
    list: record({
      name: constantFrom('ol', 'ul'),
      start: option(constantFrom('1', '4', '12')),
      items: array(record({ own: array(tie('inline'), { maxLength: 3 }), list: option(tie('list')) }), {
        minLength: 1,
        maxLength: 3,
      }),
    }).map(({ name, start, items }) =>
      createElement(
        name,
        name === 'ol' && start !== null ? { start } : {},
        items.map(({ own, list }) => createElement('li', {}, list === null ? own : [...own, list])),
      ),
    ),
    root: array(tie('block'), { maxLength: 5 }).map((children) => createElement('body', {}, children)),
  }),
)

const styles = constantFrom(
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
const classes = constantFrom(
  'MsoNormal',
  'MsoListParagraph',
  's1',
  'ListContainerWrapper',
  'Apple-converted-space',
  'x',
)
const names = constantFrom(
  ...'p div span b strong i em u s a ul ol li td table font o:p h1 th sup pre section q'.split(' '),
)

const styledTree: Arbitrary<HtmlElement> = letrec<{ node: HtmlNode; element: HtmlElement }>((tie) => ({
  node: oneof({ depthSize: 'medium' }, words, tie('element')),
  element: record({
    name: names,
    style: option(styles),
    class: option(classes),
    lang: option(constantFrom('de', 'en-US', 'x-none')),
    others: dictionary(
      constantFrom('data-aria-level', 'href', 'dir', 'start'),
      constantFrom('1', '2', 'rtl', '#'),
    ),
    children: array(tie('node'), { maxLength: 4 }),
  }).map(({ name, style, class: className, lang, others, children }) =>
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
})).element.map((element) => createElement('body', {}, [element]))

function normalize(root: HtmlElement): HtmlElement {
  return normalizePaste(root, { language: 'en' })
}

/** Returns the characters that show, without the quotation marks and list markers that stand for elements. */
function visible(root: HtmlElement): string {
  return textOf(root).replaceAll(/[\s“”‘’„‚]/g, '')
}

describe('normalizing', () => {
  it('leaves HTML without styles unchanged', () => {
    assert(
      property(cleanTree.root, (root) => {
        expect(toHtml(normalize(root))).toBe(toHtml(root))
      }),
      runs,
    )
  })

  it('twice equals once, for any styles', () => {
    assert(
      property(styledTree, (root) => {
        const once = normalize(root)
        expect(toHtml(normalize(once))).toBe(toHtml(once))
      }),
      runs,
    )
  })

  it('loses and repeats no visible character, for any styles', () => {
    assert(
      property(styledTree, (root) => {
        expect(visible(normalize(root))).toBe(visible(root))
      }),
      runs,
    )
  })

  it('leaves no style, class or comment, for any HTML', () => {
    assert(
      property(styledTree, (root) => {
        for (const node of descendants(normalize(root))) {
          expect(typeof node === 'string' || isElement(node)).toBe(true)
          if (isElement(node)) expect(Object.keys(node.attributes)).not.toContain('style')
        }
      }),
      runs,
    )
  })

  it('reads any markup that a parser reads', () => {
    assert(
      property(
        string({
          unit: constantFrom(
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
