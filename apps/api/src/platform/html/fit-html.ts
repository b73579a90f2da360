import { type HtmlElement, type HtmlNode, isElement } from '@tidings/paste/html-tree'
import {
  blockTags,
  cleanAttributes,
  discardedTags,
  headingTags,
  inlineTags,
  paragraphTags,
  preformattedTags,
  renamedTags,
  tableParents,
  tableStructureTags,
  tableTextTags,
} from './allowed-html.ts'
import { createHtmlWriter, type FittedElement, type HtmlWriter, type Place } from './fitted-html.ts'

type Attributes = Readonly<Record<string, string>>

/** The meaning of the elements around a node. */
type Context = Place & {
  /** Language and direction of elements that are left out. */
  language: Attributes
  depth: number
  isInTable: boolean
  isPreformatted: boolean
}

type Visit = { writer: HtmlWriter; onRemoved: (what: string) => void }

const maxNesting = 30
const annotationTags = ['rt', 'rp']

/**
 * Converts parsed HTML to allowed elements, nested so that every parser reads them alike: blocks hold inline elements,
 * never the other way around. Each word keeps the allowed elements around it. Reports what is lost.
 */
export function fitHtml(root: HtmlElement, onRemoved: (what: string) => void): FittedElement {
  const fitted: FittedElement = { name: 'div', attributes: {}, children: [] }
  const visit = { writer: createHtmlWriter(), onRemoved }
  const start: Context = {
    block: fitted,
    paragraph: null,
    inline: [],
    language: {},
    depth: 0,
    isInTable: false,
    isPreformatted: false,
  }
  // A stack of its own, because a document may be nested too deeply for recursion. An end has no node.
  const waiting: { node: HtmlNode | null; context: Context }[] = [{ node: root, context: start }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, context } = next
    if (node === null) visit.writer.endLine()
    else if (typeof node === 'string') addText(node, context, visit)
    else if (isElement(node)) {
      const inside = node === root ? start : enter(node, context, visit)
      if (inside === null) continue
      if (inside.block !== context.block || inside.paragraph !== context.paragraph || !isInline(node)) {
        waiting.push({ node: null, context })
      }
      for (const child of node.children.toReversed()) waiting.push({ node: child, context: inside })
    }
  }
  return fitted
}

function isInline({ name }: HtmlElement): boolean {
  return !(name in tableParents) && ![...blockTags, ...paragraphTags].includes(renamedTags[name] ?? name)
}

function addText(text: string, context: Context, { writer }: Visit): void {
  if (tableStructureTags.includes(context.block.name)) return
  const lines = context.isPreformatted ? text.split('\n') : [text]
  for (const [index, line] of lines.entries()) {
    if (index > 0) writer.addLineBreak(context)
    if (line !== '') writer.addText(context, line)
  }
}

/** Returns the context of an element's children; null when they are left out too. */
function enter(element: HtmlElement, context: Context, visit: Visit): Context | null {
  const name = renamedTags[element.name] ?? element.name
  if (discardedTags.includes(name)) {
    visit.onRemoved(`<${name}>`)
    return null
  }
  const { kept, dropped } = cleanAttributes(name, element.attributes)
  const isBlock = name in tableParents || blockTags.includes(name)
  const isKnown = isBlock || inlineTags.includes(name) || paragraphTags.includes(name) || name === 'br'
  if (isKnown) for (const lost of dropped) visit.onRemoved(lost)
  else visit.onRemoved(`<${name}>`)
  if (name === 'br') visit.writer.addLineBreak(context)
  if (name === 'hr') visit.writer.addBlock(context, { name, attributes: kept, children: [] })
  if (name === 'br' || name === 'hr') return null
  if (name === 'p' || paragraphTags.includes(name)) return inParagraph(name, kept, context, visit)
  return isBlock ? inBlock(name, kept, context, visit) : inInline(name, kept, context, visit)
}

function inInline(name: string, kept: Attributes, context: Context, { onRemoved }: Visit): Context {
  const isKept = inlineTags.includes(name) && (name !== 'a' || kept.href !== undefined)
  // Of an element that goes, the language and the direction stay.
  const tag = isKept ? name : 'span'
  const attributes = isKept ? kept : languageOf(kept)
  if (tag === 'span' && Object.keys(attributes).length === 0) return context
  const isAnnotated = context.inline.some((each) => annotationTags.includes(each.name))
  if (annotationTags.includes(tag) && isAnnotated) return context
  // A link can't contain another one. The inner one is closer to the words.
  const around = tag === 'a' ? context.inline.filter((each) => each.name !== 'a') : context.inline
  if (context.depth + around.length >= maxNesting) {
    onRemoved(`nesting of more than ${maxNesting} levels`)
    return context
  }
  return { ...context, inline: [...around, { name: tag, attributes }] }
}

function inParagraph(name: string, kept: Attributes, context: Context, { writer }: Visit): Context {
  writer.endLine()
  const isPreformatted = context.isPreformatted || preformattedTags.includes(name)
  const language = languageOf({ ...context.language, ...kept })
  // A heading of paragraphs keeps them. A heading of divisions is one, with line breaks.
  const isLine = name !== 'p' && headingTags.includes(context.block.name)
  return isLine
    ? { ...context, isPreformatted, language }
    : { ...context, isPreformatted, language, paragraph: { attributes: language } }
}

function inBlock(name: string, kept: Attributes, context: Context, visit: Visit): Context {
  const { block } = context
  const parents = tableParents[name]
  const isNested = name === 'table' && context.isInTable
  if (isNested) visit.onRemoved('table in a table')
  if (parents !== undefined && !parents.includes(block.name)) {
    return tableTextTags.includes(name)
      ? inParagraph(name, kept, context, visit)
      : leaveOut(kept, context, visit)
  }
  if (name === 'li' && block.name === 'li') return inParagraph(name, kept, context, visit)
  const isHeadingInHeading = headingTags.includes(name) && headingTags.includes(block.name)
  const isTooDeep = context.depth >= maxNesting
  if (isTooDeep) visit.onRemoved(`nesting of more than ${maxNesting} levels`)
  if (isNested || isHeadingInHeading || isTooDeep) return leaveOut(kept, context, visit)
  const added: FittedElement = { name, attributes: { ...context.language, ...kept }, children: [] }
  visit.writer.addBlock(context, added)
  return {
    ...context,
    block: added,
    paragraph: null,
    language: {},
    depth: context.depth + 1,
    isInTable: context.isInTable || name === 'table',
  }
}

/** Leaves out a block. Its words begin a line. */
function leaveOut(kept: Attributes, context: Context, { writer }: Visit): Context {
  writer.endLine()
  return { ...context, language: { ...context.language, ...languageOf(kept) } }
}

function languageOf({ dir, lang }: Attributes): Attributes {
  return { ...(dir !== undefined && { dir }), ...(lang !== undefined && { lang }) }
}
