import { headingNameOf } from './heading-names.ts'
import {
  classesOf,
  createElement,
  type HtmlElement,
  type HtmlNode,
  isNamed,
  isSpace,
  withChildren,
} from './html-tree.ts'
import { rewriteTree } from './rewrite-tree.ts'
import type { StyleReader } from './styles/declarations.ts'
import { isEmoji } from './text/emoji.ts'
import { unwrapRedirect } from './text/redirects.ts'
import { readSymbols } from './word/symbol-fonts.ts'

type WhiteSpace = 'normal' | 'lines' | 'code'
type Context = { whiteSpace: WhiteSpace; font: string }

const lineBreak = createElement('br', {}, [])
// Google Docs writes these private characters at the ends of a code block.
const codeBlockEnds = /[\uEC02\uEC03\uE907]/g

/**
 * Replaces what programs draw with elements of their own: pictures of emoji, letters of fonts of symbols, checkboxes,
 * spaces, lines of preformatted text, headings that are paragraphs, and redirects of links.
 */
export function replaceParts(root: HtmlElement, styleOf: StyleReader): HtmlElement {
  return rewriteTree<Context>(
    root,
    { whiteSpace: 'normal', font: '' },
    {
      enter: (element, context) => {
        const style = styleOf(element.attributes.style)
        const font = style.get('mso-symbol-font-family') ?? style.get('font-family')
        return {
          whiteSpace: whiteSpaceOf(element, style.get('white-space'), context.whiteSpace),
          font: font === undefined ? context.font : (font.split(',')[0] ?? '').trim().replaceAll(/["']/g, ''),
        }
      },
      leave: (element, children) => replacePart(element, children, styleOf),
      text: (text, { whiteSpace, font }) => splitLines(readSymbols(text, font), whiteSpace),
    },
  )
}

function whiteSpaceOf(element: HtmlElement, declared: string | undefined, inherited: WhiteSpace): WhiteSpace {
  const usual = element.name === 'pre' ? 'code' : inherited
  if (declared === undefined || declared === 'inherit') return usual
  if (!/^(?:pre|break-spaces)/.test(declared)) return 'normal'
  return usual === 'code' ? 'code' : 'lines'
}

function replacePart(element: HtmlElement, children: HtmlNode[], styleOf: StyleReader): readonly HtmlNode[] {
  const { name, attributes } = element
  if (name === 'img') return emojiOf(element) ?? [element]
  if (name === 'input' && attributes.type?.toLowerCase() === 'checkbox') return [box('checked' in attributes)]
  const classes = classesOf(element)
  if (classes.includes('checkbox-on') && children.every(isSpace)) return [box(true)]
  if (classes.includes('checkbox-off') && children.every(isSpace)) return [box(false)]
  if (name === 'li' && attributes.role === 'checkbox') {
    return [{ ...element, children: withBox(children, attributes['aria-checked'] === 'true') }]
  }
  if (name === 'a' && attributes.href !== undefined) {
    const href = unwrapRedirect(attributes.href)
    return [{ ...element, attributes: { ...attributes, href }, children }]
  }
  if (
    name === 'span' &&
    isSpaceRun(element, classes, styleOf) &&
    children.length > 0 &&
    children.every(isSpace)
  )
    return [' ']
  const heading = headingNameOf(element)
  return [heading === undefined ? withChildren(element, children) : { ...element, name: heading, children }]
}

function emojiOf({ attributes }: HtmlElement): readonly HtmlNode[] | null {
  const emoji = [attributes.alt, attributes['data-emoji']].find(
    (text) => text !== undefined && isEmoji(text.trim()),
  )
  return emoji === undefined ? null : [emoji.trim()]
}

function box(isChecked: boolean): string {
  return isChecked ? '☑ ' : '☐ '
}

/** Replaces the picture of a checklist's box, and puts the box into the item's paragraph. */
function withBox(children: readonly HtmlNode[], isChecked: boolean): HtmlNode[] {
  const [first, ...others] = children.filter((child) => !isNamed(child, ['img']) && !isSpace(child))
  if (!isNamed(first, ['p'])) return [box(isChecked), ...(first === undefined ? [] : [first]), ...others]
  return [{ ...first, children: [box(isChecked), ...first.children] }, ...others]
}

/** Returns whether a span stands for a run of spaces or a tab. */
function isSpaceRun({ attributes }: HtmlElement, classes: readonly string[], styleOf: StyleReader): boolean {
  const style = styleOf(attributes.style)
  return (
    classes.includes('Apple-converted-space') ||
    classes.includes('Apple-tab-span') ||
    style.get('mso-spacerun') === 'yes' ||
    style.has('mso-tab-count')
  )
}

/** Replaces the line ends of text that keeps them. Code also keeps the spaces at the start of a line. */
function splitLines(text: string, whiteSpace: WhiteSpace): HtmlNode[] {
  const shown = text.replace(codeBlockEnds, '')
  if (whiteSpace === 'normal' || !shown.includes('\n')) return shown === '' ? [] : [shown]
  const isCode = whiteSpace === 'code'
  // White space between elements is the layout of the source, and so is that at the ends of a text.
  if (!isCode && shown.trim() === '') return [shown]
  const body = isCode ? shown : shown.trim()
  const [before = '', after = ''] = isCode ? [] : [/^\s*/.exec(shown)?.[0], /\s*$/.exec(shown)?.[0]]
  const lines = body.split(/\r?\n/).map((line) => (isCode ? indent(line) : line))
  const nodes = lines.flatMap((line, index) => (index === 0 ? [line] : [lineBreak, line]))
  return [before, ...nodes, after].filter((node) => node !== '')
}

function indent(line: string): string {
  return line.replace(/^[ \t]+/, (spaces) => spaces.replaceAll('\t', '  ').replaceAll(' ', '\u00a0'))
}
