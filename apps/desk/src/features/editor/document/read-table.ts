import { type HtmlElement, type HtmlNode, isElement } from '@tidings/paste/html-tree'
import type { Node } from 'prosemirror-model'
import { type HtmlAttributes, schema } from './schema.ts'

type Readers = {
  attributesOf: (element: HtmlElement) => HtmlAttributes
  blocksOf: (children: readonly HtmlNode[]) => Node[]
}

const sections = ['thead', 'tbody', 'tfoot']

/** Returns a table. Its sections become attributes of their rows. */
export function readTable(element: HtmlElement, readers: Readers): Node {
  const captions: HtmlElement[] = []
  const rows: Node[] = []
  let part = 0
  for (const [index, child] of element.children.entries()) {
    if (typeof child === 'string' || !isElement(child)) continue
    const { name } = child
    const previous = element.children[index - 1]
    part = previous !== undefined && isElement(previous) && previous.name === name ? 1 - part : 0
    if (name === 'caption') captions.push(child)
    else if (name === 'tr') rows.push(readRow(child, { section: 'tbody' }, readers))
    else if (sections.includes(name)) {
      const attrs = { section: name, sectionHtml: readers.attributesOf(child), part }
      for (const row of child.children) {
        if (typeof row !== 'string' && isElement(row) && row.name === 'tr')
          rows.push(readRow(row, attrs, readers))
      }
    }
  }
  const table = schema.node('table', { html: readers.attributesOf(element) }, rows)
  const [first] = captions
  if (first === undefined) return schema.node('table_box', null, [table])
  const content = captions.flatMap(({ children }) => readers.blocksOf(children))
  const caption = schema.node('caption', { html: readers.attributesOf(first) }, filled(content))
  return schema.node('table_box', null, [caption, table])
}

function readRow(row: HtmlElement, attrs: Readonly<Record<string, unknown>>, readers: Readers): Node {
  const cells = row.children.flatMap((cell) => {
    if (typeof cell === 'string' || !isElement(cell)) return []
    if (cell.name !== 'td' && cell.name !== 'th') return []
    const html = readers.attributesOf(cell)
    const span = { colspan: Number(html.colspan ?? 1), rowspan: Number(html.rowspan ?? 1) }
    const content = readers.blocksOf(cell.children).flatMap(withoutTable)
    return [schema.node(cell.name, { html, ...span }, filled(content))]
  })
  return schema.node('tr', { ...attrs, html: readers.attributesOf(row) }, cells)
}

/** A table in a cell leaves its words: the cleaner takes the table. */
function withoutTable(block: Node): Node[] {
  if (block.type !== schema.nodes.table_box) return [block]
  const lines: Node[] = []
  block.descendants((node) => {
    if (node.isTextblock) lines.push(schema.node('p', null, node.content))
  })
  return lines
}

function filled(blocks: Node[]): Node[] {
  return blocks.length > 0 ? blocks : [schema.node('line')]
}
