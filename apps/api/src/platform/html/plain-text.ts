import { inlineTags } from './allowed-html.ts'
import { cleanTree } from './clean-html.ts'
import type { FittedElement } from './fitted-html.ts'
import { formatOrdinal } from './format-ordinal.ts'
import { createInlineText, type InlineText } from './inline-text.ts'

/** A paragraph, list item or table row as text. */
type TextBlock = {
  lines: string[]
  /** The number of an ordered list's item, '-' for any other item. */
  mark: string
  indent: number
  quotes: number
  /** The list or table that it is a part of. */
  group: FittedElement | null
}

type Context = Pick<TextBlock, 'indent' | 'quotes' | 'group'> & {
  blocks: TextBlock[]
  inlineText: InlineText
  /** The mark of an item, until its first words take it. */
  item: { mark: string }
}

const cellSeparator = ' | '

/**
 * Returns the words of a piece of HTML, one line for each block or table row, without tags or entities. What markup says
 * is written in the text: raised numbers, struck words, numbers of lists, cells.
 */
export function plainText(html: string): string {
  return readBlocks(html, { hasAddresses: false })
    .flatMap(({ lines, mark }) => (['', '-'].includes(mark) ? lines : withMark(mark, lines)))
    .join('\n')
}

/** Returns {@link plainText} as a letter shows it: with marks of lists, quotations and the addresses of links. */
export function letterText(html: string): string {
  let text = ''
  let before: TextBlock | null = null
  for (const block of readBlocks(html, { hasAddresses: true })) {
    if (before !== null) text += between(before, block)
    const lines = block.mark === '' ? block.lines : withMark(block.mark, block.lines)
    text += lines.map((line, index) => quoteMarks(block) + indentOf(block, index) + line).join('\n')
    before = block
  }
  return text
}

/** Items of a list and rows of a table follow each other; there is an empty line between other blocks. */
function between(before: TextBlock, block: TextBlock): string {
  if (before.group !== null && before.group === block.group) return '\n'
  return before.quotes > 0 && before.quotes === block.quotes ? `\n${quoteMarks(block).trim()}\n` : '\n\n'
}

function quoteMarks({ quotes }: TextBlock): string {
  return '> '.repeat(quotes)
}

/** Lines of an item stand below its first one. */
function indentOf({ indent, mark }: TextBlock, line: number): string {
  const isMarked = mark !== '' && line === 0
  return '  '.repeat(Math.max(0, isMarked ? indent - 1 : indent))
}

function withMark(mark: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => (index === 0 ? `${mark} ${line}` : line))
}

function readBlocks(html: string, options: { hasAddresses: boolean }): TextBlock[] {
  const blocks: TextBlock[] = []
  const inlineText = createInlineText(options)
  addFlow(cleanTree(html).children, {
    blocks,
    inlineText,
    indent: 0,
    quotes: 0,
    group: null,
    item: { mark: '' },
  })
  return blocks
}

/** Adds blocks, and the words between them as blocks of their own. */
function addFlow(nodes: FittedElement['children'], context: Context): void {
  let words: FittedElement['children'] = []
  const endWords = () => {
    addWords(words, context)
    words = []
  }
  for (const node of nodes) {
    if (typeof node === 'string' || node.name === 'br' || inlineTags.includes(node.name)) {
      words.push(node)
      continue
    }
    endWords()
    addBlock(node, context)
  }
  endWords()
}

function addWords(nodes: FittedElement['children'], context: Context): void {
  const lines = context.inlineText(nodes)
  if (lines.length === 0) return
  const { blocks, indent, quotes, group, item } = context
  blocks.push({ lines, mark: item.mark, indent, quotes, group })
  item.mark = ''
}

function addBlock(element: FittedElement, context: Context): void {
  const { name, children } = element
  if (name === 'ul' || name === 'ol') addList(element, context)
  else if (name === 'li') addItem(element, '-', context)
  else if (name === 'table') addTable(element, context)
  else addFlow(children, name === 'blockquote' ? { ...context, quotes: context.quotes + 1 } : context)
}

function addList(list: FittedElement, context: Context): void {
  const inside = { ...context, group: context.group ?? list, indent: context.indent + 1 }
  let number = Number(list.attributes.start ?? 1)
  for (const child of list.children) {
    if (typeof child === 'string' || child.name !== 'li') {
      addFlow([child], { ...inside, item: { mark: '' } })
      continue
    }
    number = Number(child.attributes.value ?? number)
    addItem(child, list.name === 'ol' ? `${formatOrdinal(number, list.attributes.type)}.` : '-', inside)
    number++
  }
}

function addItem({ children }: FittedElement, mark: string, context: Context): void {
  addFlow(children, { ...context, item: { mark } })
}

function addTable(table: FittedElement, context: Context): void {
  const inside = { ...context, group: table }
  for (const part of table.children) {
    if (typeof part === 'string') continue
    if (part.name === 'caption') addFlow(part.children, context)
    for (const row of part.name === 'caption' ? [] : part.children) {
      if (typeof row === 'string') continue
      const cells = row.children.map((cell) => (typeof cell === 'string' ? '' : cellText(cell, context)))
      if (cells.every((cell) => cell === '')) continue
      addWords([cells.join(cellSeparator)], inside)
    }
  }
}

function cellText(cell: FittedElement, { inlineText }: Context): string {
  const blocks: TextBlock[] = []
  addFlow(cell.children, { blocks, inlineText, indent: 0, quotes: 0, group: null, item: { mark: '' } })
  return blocks.flatMap(({ mark, lines }) => (mark === '' ? lines : withMark(mark, lines))).join(' ')
}
