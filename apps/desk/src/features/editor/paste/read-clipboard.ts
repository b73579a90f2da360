import { fromDom } from '@tidings/paste/from-dom'
import { type HtmlElement, isElement } from '@tidings/paste/html-tree'
import { normalizePaste } from '@tidings/paste/normalize-paste'
import { Fragment, type Node, Slice } from 'prosemirror-model'
import { countPictures, readDocument } from '../document/read-html.ts'
import { schema } from '../document/schema.ts'
import { textToHtml } from '../document/write-html.ts'
import type { Clipboard } from './clipboard-data.ts'
import { inertStyle, parseInert } from './clipboard-policy.ts'

type Pasted = { slice: Slice; pictures: number }

const ownMark = /\bdata-pm-slice=/

/** Returns what a program put on the clipboard, and how many pictures are left out. `language` is that of the text. */
export function readClipboard({ html, text, files }: Clipboard, language: string): Pasted {
  if (html === '') return { slice: sliceOf(textToHtml(text), parseOwn), pictures: text === '' ? files : 0 }
  if (ownMark.test(html)) return { slice: sliceOf(html, parseOwn), pictures: 0 }
  let pictures = 0
  const slice = sliceOf(html, (source) => {
    const tree = normalizePaste(withStyles(fromDom(parseInert(source).documentElement)), { language })
    pictures = countPictures(tree)
    return tree
  })
  return { slice, pictures }
}

/** Gives the elements back the styles that say what their author saw. */
function withStyles(element: HtmlElement): HtmlElement {
  const { [inertStyle]: style, ...others } = element.attributes
  const children = element.children.map((child) =>
    typeof child !== 'string' && isElement(child) ? withStyles(child) : child,
  )
  if (style === undefined) return { ...element, children }
  if (element.name === 'script') return { name: 'style', attributes: {}, children }
  return { ...element, attributes: { ...others, style }, children }
}

/** Returns the stored text as a document. */
export function parseStored(html: string): Node {
  return readDocument(fromDom(parseInert(html).body))
}

/** Copied in this editor: its lines and tables are divisions there. */
function parseOwn(html: string): HtmlElement {
  return unwrap(fromDom(parseInert(html).body))
}

function unwrap(element: HtmlElement): HtmlElement {
  const children = element.children.flatMap((child) => {
    if (typeof child === 'string' || !isElement(child)) return [child]
    const own = unwrap(child)
    if (own.attributes['data-line'] !== undefined) return own.children
    return own.attributes.class === 'editor-table' ? withCaption(own).children : [own]
  })
  return { ...element, children }
}

/** Puts a caption back into its table. */
function withCaption(box: HtmlElement): HtmlElement {
  const parts = box.children.filter((child) => typeof child !== 'string').filter(isElement)
  const caption = parts.find(({ attributes }) => attributes['data-caption'] !== undefined)
  const table = parts.find(({ name }) => name === 'table')
  if (caption === undefined || table === undefined) return box
  const { children } = table
  return { ...box, children: [{ ...table, children: [{ ...caption, name: 'caption' }, ...children] }] }
}

function sliceOf(html: string, parse: (html: string) => HtmlElement): Slice {
  const { content } = readDocument(parse(html))
  const blocks: Node[] = []
  content.forEach((block) => {
    // Next to other blocks, words without a paragraph are one.
    const isLine = block.type === schema.nodes.line && content.childCount > 1
    blocks.push(isLine ? schema.node('p', null, block.content) : block)
  })
  const open = (block: Node | undefined) =>
    block?.type === schema.nodes.p || block?.type === schema.nodes.line ? 1 : 0
  return new Slice(Fragment.from(blocks), open(blocks[0]), open(blocks.at(-1)))
}
