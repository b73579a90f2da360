import { type Attrs, type DOMOutputSpec, type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model'

/** The attributes of an element as it was stored, in their order. */
export type HtmlAttributes = Readonly<Record<string, string>>

/** Marks that are typed are inside of those that were stored. */
const typedOrder = 50

/** Inline elements, the outermost in the editor first. */
export const markTags = [
  'ruby',
  'rt',
  'rp',
  'a',
  'span',
  'bdi',
  'bdo',
  'abbr',
  'strong',
  'b',
  'em',
  'i',
  'u',
  's',
  'ins',
  'code',
  'sup',
  'sub',
]

export const headingTags = ['h2', 'h3']

const flow = '(block | table_box | line)+'
const flowOfItem = '(line | block | table_box)+'
// The cleaner takes tables out of tables.
const flowOfCell = '(line | block)+'

function htmlOf(attrs: Attrs): Record<string, string> {
  return { ...attrs.html }
}

function element(tag: string, content: string | undefined, rest: Partial<NodeSpec> = {}): NodeSpec {
  return {
    ...(content !== undefined && { content }),
    group: 'block',
    attrs: { html: { default: {} } },
    toDOM: ({ attrs }): DOMOutputSpec =>
      content === undefined ? [tag, htmlOf(attrs)] : [tag, htmlOf(attrs), 0],
    ...rest,
  }
}

function cell(tag: 'td' | 'th'): NodeSpec {
  return {
    content: flowOfCell,
    isolating: true,
    tableRole: tag === 'td' ? 'cell' : 'header_cell',
    attrs: {
      html: { default: {} },
      colspan: { default: 1 },
      rowspan: { default: 1 },
      colwidth: { default: null },
    },
    // The attributes are also those of copied cells.
    toDOM: ({ attrs }) => {
      const { colspan: _columns, rowspan: _rows, ...html } = htmlOf(attrs)
      if (attrs.colspan !== 1) html.colspan = String(attrs.colspan)
      if (attrs.rowspan !== 1) html.rowspan = String(attrs.rowspan)
      return [tag, html, 0]
    },
  }
}

const nodes = {
  doc: { content: flow },
  p: element('p', 'inline*'),
  h2: element('h2', 'inline*', { defining: true }),
  h3: element('h3', 'inline*', { defining: true }),
  blockquote: element('blockquote', flow, { defining: true }),
  ul: element('ul', 'li+'),
  ol: element('ol', 'li+'),
  hr: element('hr', undefined),
  // A heading of paragraphs.
  heading_blocks: {
    ...element('h2', flow),
    attrs: { html: { default: {} }, tag: { default: 'h2' } },
    toDOM: ({ attrs }) => [attrs.tag, htmlOf(attrs), 0],
  },
  li: element('li', flowOfItem, { group: '', defining: true }),
  // Words directly in a block, without a paragraph.
  line: { content: 'inline*', toDOM: () => ['div', { 'data-line': '' }, 0] },
  table_box: {
    content: 'caption? table',
    isolating: true,
    toDOM: () => ['div', { class: 'editor-table' }, 0],
  },
  caption: {
    content: flowOfCell,
    isolating: true,
    attrs: { html: { default: {} } },
    toDOM: ({ attrs }) => ['div', { ...htmlOf(attrs), class: 'editor-caption', 'data-caption': '' }, 0],
  },
  table: {
    content: 'tr*',
    tableRole: 'table',
    isolating: true,
    attrs: { html: { default: {} } },
    toDOM: ({ attrs }) => ['table', htmlOf(attrs), ['tbody', 0]],
  },
  // Sections are attributes of their rows, because table commands know rows only.
  tr: {
    content: '(td | th)*',
    tableRole: 'row',
    attrs: {
      html: { default: {} },
      section: { default: 'tbody' },
      sectionHtml: { default: {} },
      part: { default: 0 },
    },
    toDOM: ({ attrs }) => ['tr', { ...htmlOf(attrs), class: `editor-${attrs.section}` }, 0],
  },
  td: cell('td'),
  th: cell('th'),
  br: { inline: true, group: 'inline', selectable: false, toDOM: () => ['br'] },
  text: { group: 'inline' },
} satisfies Record<string, NodeSpec>

function mark(tag: string): MarkSpec {
  return {
    // `order` is the depth that the element had; `part` keeps two elements side by side apart.
    attrs: { html: { default: {} }, order: { default: typedOrder }, part: { default: 0 } },
    inclusive: tag !== 'a',
    ...(tag === 'span' && { excludes: '' }),
    toDOM: ({ attrs }) => [tag, htmlOf(attrs), 0],
  }
}

const marks: Record<string, MarkSpec> = Object.fromEntries(markTags.map((tag) => [tag, mark(tag)]))

/** The schema of a text: the elements that the API's cleaner keeps. */
export const schema = new Schema({ nodes, marks })

/** Returns a type of mark by the name of its element. */
export function markType(tag: string) {
  const type = schema.marks[tag]
  if (type === undefined) throw new Error(`No mark for ${tag}`)
  return type
}
