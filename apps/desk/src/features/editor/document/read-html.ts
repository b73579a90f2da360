import { type HtmlElement, type HtmlNode, isElement } from '@tidings/paste/html-tree'
import type { Mark, Node } from 'prosemirror-model'
import { type Run, readInline } from './read-inline.ts'
import { readTable } from './read-table.ts'
import { type HtmlAttributes, headingTags, markTags, markType, schema } from './schema.ts'

const renamedTags: Readonly<Record<string, string>> = {
  h1: 'h2',
  h4: 'h3',
  h5: 'h3',
  h6: 'h3',
  del: 's',
  strike: 's',
  menu: 'ul',
  dir: 'ul',
}

const paragraphTags =
  'p address article aside center dd details dialog div dl dt fieldset figcaption figure footer form header hgroup legend listing main nav optgroup pre search section summary'.split(
    ' ',
  )

const discardedTags =
  'head script style textarea option xmp noscript noembed noframes iframe template title svg math object'.split(
    ' ',
  )

const allowedNames = 'dir lang href title start type value colspan rowspan scope'.split(' ')

type Flow = { blocks: Node[]; run: Run }

/** Returns the document of a text as it is stored or was pasted. */
export function readDocument(root: HtmlElement): Node {
  const blocks = readBlocks(root.children)
  return schema.node('doc', null, blocks.length === 0 ? [schema.node('p')] : blocks)
}

/** Returns the attributes that a text keeps. */
function keptAttributes({ name, attributes }: HtmlElement): HtmlAttributes {
  return Object.fromEntries(
    Object.entries(attributes).filter(
      ([key]) => allowedNames.includes(key) && (key !== 'href' || name === 'a'),
    ),
  )
}

/** Returns the blocks in an element: words without a paragraph become lines. */
function readBlocks(children: readonly HtmlNode[]): Node[] {
  const flow: Flow = { blocks: [], run: [] }
  readInto(flow, children, [])
  endLine(flow)
  return flow.blocks
}

function readInto(flow: Flow, children: readonly HtmlNode[], marks: readonly Mark[]): void {
  let part = 0
  for (const [index, child] of children.entries()) {
    if (typeof child === 'string') {
      flow.run.push({ text: child, marks })
      continue
    }
    if (!isElement(child)) continue
    const name = renamedTags[child.name] ?? child.name
    if (discardedTags.includes(name)) continue
    const previous = children[index - 1]
    part = previous !== undefined && isNamedElement(previous, child.name) ? 1 - part : 0
    if (name === 'br') flow.run.push({ text: null, marks })
    else if (markTags.includes(name)) readInto(flow, child.children, withMark(marks, name, child, part))
    else if (isBlockName(name)) readBlock(flow, name, child, marks)
    else readInto(flow, child.children, marks)
  }
}

function isNamedElement(node: HtmlNode, name: string): boolean {
  return isElement(node) && node.name === name
}

function isBlockName(name: string): boolean {
  return [
    ...headingTags,
    ...paragraphTags,
    'ul',
    'ol',
    'li',
    'blockquote',
    'hr',
    'table',
    'caption',
    'tr',
    'td',
    'th',
  ].includes(name)
}

function withMark(marks: readonly Mark[], name: string, element: HtmlElement, part: number): readonly Mark[] {
  const html = keptAttributes(element)
  if (name === 'a' && html.href === undefined) return marks
  if (name === 'span' && Object.keys(html).length === 0) return marks
  return markType(name).create({ html, part, order: marks.length }).addToSet(marks)
}

function readBlock(flow: Flow, name: string, element: HtmlElement, marks: readonly Mark[]): void {
  endLine(flow)
  const html = keptAttributes(element)
  if (name === 'hr') flow.blocks.push(schema.node('hr', { html }))
  else if (name === 'table')
    flow.blocks.push(readTable(element, { attributesOf: keptAttributes, blocksOf: readBlocks }))
  else if (name === 'ul' || name === 'ol') flow.blocks.push(...readList(name, html, element))
  else if (name === 'li') flow.blocks.push(...readList('ul', {}, { ...element, children: [element] }))
  else if (name === 'blockquote') addContainer(flow, 'blockquote', { html }, element)
  else readTextBlock(flow, { name, html, element, marks })
}

type TextBlock = { name: string; html: HtmlAttributes; element: HtmlElement; marks: readonly Mark[] }

/** Reads a heading or a paragraph. One that holds blocks is a heading of blocks, or only its blocks. */
function readTextBlock(flow: Flow, { name, html, element, marks }: TextBlock): void {
  const isHeading = headingTags.includes(name)
  const inside: Flow = { blocks: [], run: [] }
  readInto(inside, element.children, marks)
  if (inside.blocks.length === 0) {
    const content = readInline(inside.run)
    if (content.length > 0) flow.blocks.push(schema.node(isHeading ? name : 'p', { html }, content))
    return
  }
  endLine(inside)
  if (isHeading) flow.blocks.push(schema.node('heading_blocks', { html, tag: name }, inside.blocks))
  else flow.blocks.push(...inside.blocks.map((block) => asParagraph(block, html)))
}

/** Words of a division become a paragraph. */
function asParagraph(block: Node, html: HtmlAttributes): Node {
  return block.type === schema.nodes.line ? schema.node('p', { html }, block.content) : block
}

function addContainer(flow: Flow, type: string, attrs: { html: HtmlAttributes }, element: HtmlElement): void {
  const blocks = readBlocks(element.children)
  if (blocks.length > 0) flow.blocks.push(schema.node(type, attrs, blocks))
}

function readList(name: string, html: HtmlAttributes, { children }: HtmlElement): Node[] {
  const items: Node[] = []
  let loose: HtmlNode[] = []
  const endLoose = () => {
    const blocks = readBlocks(loose)
    loose = []
    if (blocks.length > 0) items.push(schema.node('li', null, blocks))
  }
  for (const child of children) {
    if (typeof child === 'string' || !isElement(child) || child.name !== 'li') {
      loose.push(child)
      continue
    }
    endLoose()
    const blocks = readBlocks(child.children)
    items.push(
      schema.node('li', { html: keptAttributes(child) }, blocks.length > 0 ? blocks : [schema.node('line')]),
    )
  }
  endLoose()
  return items.length === 0 ? [] : [schema.node(name, { html }, items)]
}

function endLine(flow: Flow): void {
  const content = readInline(flow.run)
  flow.run = []
  if (content.length > 0) flow.blocks.push(schema.node('line', null, content))
}

/** Returns how many pictures a text leaves out. */
export function countPictures(root: HtmlNode): number {
  if (!isElement(root)) return 0
  const own = root.name === 'img' ? 1 : 0
  return root.children.reduce((sum, child) => sum + countPictures(child), own)
}
