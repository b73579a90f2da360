import type { Node } from 'prosemirror-model'
import { type HtmlAttributes, schema } from './schema.ts'
import { escapeText, openTag } from './write-element.ts'
import { writeInline } from './write-inline.ts'

const written = new WeakMap<Node, string>()

/** Returns the HTML of a document, as the API's cleaner writes it: without empty blocks. */
export function writeHtml(doc: Node): string {
  return writeBlocks(doc).trim()
}

/** Writes the blocks in a node. Two lines after each other are kept apart by a break. */
function writeBlocks(parent: Node): string {
  let html = ''
  let isAfterLine = false
  parent.forEach((block) => {
    const isLine = block.type === schema.nodes.line
    const own = writeBlock(block)
    if (own === '') return
    if (isLine && isAfterLine) html += '<br>'
    html += own
    isAfterLine = isLine
  })
  return html
}

/** Documents share the blocks that didn't change, so each is written once. */
function writeBlock(block: Node): string {
  const known = written.get(block)
  if (known !== undefined) return known
  const html = writeNewBlock(block)
  written.set(block, html)
  return html
}

function writeNewBlock(block: Node): string {
  const { name } = block.type
  if (name === 'line') return writeInline(block)
  if (name === 'hr') return openTag('hr', block.attrs.html)
  if (name === 'li') return wrap('li', block.attrs.html, writeBlocks(block))
  if (isEmpty(block)) return ''
  if (name === 'table_box') return writeTable(block)
  const content = block.isTextblock ? writeInline(block) : writeBlocks(block)
  return wrap(name === 'heading_blocks' ? block.attrs.tag : name, block.attrs.html, content)
}

function isEmpty(block: Node): boolean {
  if (block.textContent.trim() !== '') return false
  let hasRule = false
  block.descendants((node) => {
    hasRule ||= node.type === schema.nodes.hr
  })
  return !hasRule
}

function wrap(tag: string, html: HtmlAttributes, content: string): string {
  return `${openTag(tag, html)}${content}</${tag}>`
}

function writeTable(box: Node): string {
  const table = box.lastChild
  if (table === null) return ''
  const caption = box.childCount > 1 ? box.firstChild : null
  const head = caption === null ? '' : wrap('caption', caption.attrs.html, writeBlocks(caption))
  return wrap('table', table.attrs.html, head + writeRows(table))
}

function writeRows(table: Node): string {
  let html = ''
  let open: Node | null = null
  table.forEach((row) => {
    if (open !== null && !isSameSection(open, row)) {
      html += `</${open.attrs.section}>`
      open = null
    }
    if (open === null) html += openTag(row.attrs.section, row.attrs.sectionHtml)
    open = row
    html += writeRow(row)
  })
  const last = table.lastChild
  return last === null ? html : `${html}</${last.attrs.section}>`
}

function isSameSection(one: Node, other: Node): boolean {
  return (
    one.attrs.section === other.attrs.section &&
    one.attrs.part === other.attrs.part &&
    JSON.stringify(one.attrs.sectionHtml) === JSON.stringify(other.attrs.sectionHtml)
  )
}

function writeRow(row: Node): string {
  let cells = ''
  row.forEach((cell) => {
    cells += wrap(cell.type.name, cellAttributes(cell), writeBlocks(cell))
  })
  return wrap('tr', row.attrs.html, cells)
}

/** A span of one that wasn't stored needs no attribute. */
function cellAttributes({ attrs, type }: Node): HtmlAttributes {
  const { scope, ...others } = attrs.html
  const html: Record<string, string> = type.name === 'th' ? { ...attrs.html } : others
  for (const name of ['colspan', 'rowspan']) {
    const span = String(attrs[name])
    if (html[name] === undefined ? span !== '1' : html[name] !== span) html[name] = span
  }
  return html
}

/** Returns the text as HTML: a blank line ends a paragraph, another line ends a line. */
export function textToHtml(text: string): string {
  return text
    .split(/\r?\n[ \t]*\r?\n\s*/)
    .map((paragraph) => `<p>${escapeText(paragraph).replaceAll(/\r?\n/g, '<br>')}</p>`)
    .join('')
}
