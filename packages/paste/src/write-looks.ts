import {
  createElement,
  descendants,
  type HtmlElement,
  type HtmlNode,
  isBlock,
  isElement,
  isNamed,
  isSpace,
  omitAttributes,
  withChildren,
} from './html-tree.ts'
import { rewriteTree } from './rewrite-tree.ts'
import type { StyleReader } from './styles/declarations.ts'
import { looks, readLook } from './styles/text-look.ts'

/** The element that shows each look, from the outside in. */
const elementOfLook = [
  [looks.bold, 'strong'],
  [looks.italic, 'em'],
  [looks.struck, 's'],
  [looks.underlined, 'u'],
  [looks.raised, 'sup'],
  [looks.lowered, 'sub'],
  [looks.code, 'code'],
] as const

const lookOfElement: ReadonlyMap<string, number> = new Map([
  ['b', looks.bold],
  ['strong', looks.bold],
  ['i', looks.italic],
  ['em', looks.italic],
  ['s', looks.struck],
  ['strike', looks.struck],
  ['del', looks.struck],
  ['u', looks.underlined],
  ['ins', looks.underlined],
  ['sup', looks.raised],
  ['sub', looks.lowered],
  ['code', looks.code],
])

// Only these are inherited, so that an element inside can turn them off.
const inherited = looks.bold | looks.italic
const inlineOnly = looks.raised | looks.lowered | looks.code
const anchorsOfPrograms = /^#_(?:toc|ftn|edn|msocom|msoanchor|ref|hlk|bookmark)/i
const boldNames = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'th']
/** The looks of an element and those in it together. */
type Below = { off: number; looks: number; hasBlock: boolean; hasLink: boolean }

const nothingBelow: Below = { off: 0, looks: 0, hasBlock: false, hasLink: false }

/** `wanted` is how the text looks; `shown` is what elements around it show already. */
type Context = { wanted: number; shown: number; wraps: number; isDissolved: boolean }

type Options = { styleOf: StyleReader; isFromProgram: boolean }

/**
 * Writes as elements what styles say of text: bold, italic, struck, underlined, raised, lowered, and code. Emphasis that
 * a style turns off ends. Removes styles, classes, and the spans that only carried them.
 */
export function writeLooks(root: HtmlElement, { styleOf, isFromProgram }: Options): HtmlElement {
  const below = summarize(root, styleOf)
  const generated = new WeakSet<HtmlElement>()
  const isCarrier = (element: HtmlElement) => isStyleCarrier(element, isFromProgram)
  return rewriteTree<Context>(
    root,
    { wanted: 0, shown: 0, wraps: 0, isDissolved: false },
    {
      enter: (element, around) => {
        const look = lookOf(element, styleOf)
        const inside = below.get(element) ?? { ...nothingBelow, off: look.off }
        return isCarrier(element) || isCancelled(look, inside)
          ? { ...around, wanted: withLook(around.wanted, look), wraps: 0, isDissolved: true }
          : keep(element, look, inside, around)
      },
      leave: (element, children, { isDissolved, wraps }) => {
        if (isDissolved) return children
        const attributes = omitAttributes(element.attributes, ['style', 'class'])
        const own = withChildren(element, joinGenerated(children, generated))
        return wrap(attributes === element.attributes ? own : { ...own, attributes }, wraps, generated)
      },
      text: (text, { wanted, shown }) => wrap(text, wanted & ~shown, generated),
    },
  )
}

/** Returns whether an element is nothing without its style, or a place in the document that only its program knows. */
function isStyleCarrier({ name, attributes }: HtmlElement, isFromProgram: boolean): boolean {
  if ('lang' in attributes || 'dir' in attributes) return false
  if (name === 'a')
    return isFromProgram && (attributes.href === undefined || anchorsOfPrograms.test(attributes.href))
  if (name !== 'span') return name === 'font'
  return isFromProgram || 'style' in attributes || 'class' in attributes
}

type Look = { on: number; off: number; tag: number }

function lookOf(element: HtmlElement, styleOf: StyleReader): Look {
  const tag = lookOfElement.get(element.name) ?? 0
  if (element.attributes.style === undefined) return { on: 0, off: 0, tag }
  const { on, off } = readLook(styleOf(element.attributes.style))
  return { on: isBlock(element) ? on & ~inlineOnly : on, off, tag }
}

function withLook(wanted: number, { on, off, tag }: Look): number {
  return (wanted & ~(off & inherited)) | on | (tag & ~off)
}

/** Returns whether an element would show a look that its own style, or one in it, turns off. */
function isCancelled({ off, tag }: Look, inside: Below): boolean {
  return (tag & off) !== 0 || (tag & inherited & inside.off) !== 0
}

function keep(element: HtmlElement, look: Look, inside: Below, { wanted, shown }: Context): Context {
  const missing = inside.hasBlock ? 0 : wanted & ~shown
  const wraps = missing & ~inside.off & ~inside.looks & (inside.hasLink ? ~looks.underlined : ~0)
  const isBoldAnyway = boldNames.includes(element.name)
  const isUnderlinedAnyway = isLink(element)
  return {
    wanted: withLook(wanted, look),
    shown:
      shown |
      wraps |
      look.tag |
      (isBoldAnyway ? looks.bold : 0) |
      (isUnderlinedAnyway ? looks.underlined : 0),
    wraps,
    isDissolved: false,
  }
}

function isLink({ name, attributes }: HtmlElement): boolean {
  return name === 'a' && attributes.href !== undefined
}

/** Collects, from the inside out, what the elements of the tree turn off, show and contain. */
function summarize(root: HtmlElement, styleOf: StyleReader): ReadonlyMap<HtmlElement, Below> {
  const summaries = new Map<HtmlElement, Below>()
  const elements = [...descendants(root)].filter(isElement)
  for (const element of elements.reverse()) {
    const { off, tag } = lookOf(element, styleOf)
    const sum = { off: off & inherited, looks: tag, hasBlock: isBlock(element), hasLink: isLink(element) }
    for (const child of element.children) {
      const inside = isElement(child) ? summaries.get(child) : undefined
      if (!inside) continue
      sum.off |= inside.off
      sum.looks |= inside.looks
      sum.hasBlock ||= inside.hasBlock
      sum.hasLink ||= inside.hasLink
    }
    summaries.set(element, sum)
  }
  return summaries
}

function wrap(node: HtmlNode, set: number, generated: WeakSet<HtmlElement>): HtmlNode[] {
  let wrapped = node
  for (const [look, name] of elementOfLook.toReversed()) {
    if ((set & look) === 0) continue
    wrapped = createElement(name, {}, [wrapped])
    generated.add(wrapped)
  }
  return [wrapped]
}

/** Joins generated elements that are side by side, and removes those around white space only. */
function joinGenerated(nodes: readonly HtmlNode[], generated: WeakSet<HtmlElement>): HtmlNode[] {
  const result: HtmlNode[] = []
  for (let index = 0; index < nodes.length; ) {
    const node = nodes[index++]
    if (node === undefined) break
    if (!isElement(node) || !generated.has(node)) {
      result.push(node)
      continue
    }
    const content = [...node.children]
    for (let next = nodes[index]; isNamed(next, [node.name]) && generated.has(next); next = nodes[index]) {
      for (const child of next.children) content.push(child)
      index++
    }
    const joined = joinGenerated(content, generated)
    const isBlank = joined.every((child) => isSpace(child) || isNamed(child, ['br']))
    if (isBlank) for (const child of joined) result.push(child)
    else result.push(createElement(node.name, {}, joined))
  }
  return joinTexts(result)
}

/** Joins texts that are side by side since the spans around them are gone. */
function joinTexts(nodes: readonly HtmlNode[]): HtmlNode[] {
  const result: HtmlNode[] = []
  let text = ''
  for (const node of nodes) {
    if (typeof node === 'string') text += node
    else {
      if (text !== '') result.push(text)
      text = ''
      result.push(node)
    }
  }
  if (text !== '') result.push(text)
  return result
}
