import type { Mark, Node } from 'prosemirror-model'
import { escapeText, openTag } from './write-element.ts'

/** Writes words with the elements around them, the deepest last. An element that goes on is opened once. */
export function writeInline(block: Node): string {
  const nodes: Node[] = []
  block.forEach((node) => {
    nodes.push(node)
  })
  return writeRange(nodes, [])
}

function writeRange(nodes: readonly Node[], open: readonly Mark[]): string {
  let html = ''
  let index = 0
  while (index < nodes.length) {
    const rest = nodes.slice(index)
    const mark = outermost(rest, open)
    if (mark === null) {
      html += rest[0]?.isText ? escapeText(rest[0].text ?? '') : '<br>'
      index += 1
      continue
    }
    const length = lengthOf(mark, rest, open)
    const tag = mark.type.name
    html += `${openTag(tag, mark.attrs.html)}${writeRange(rest.slice(0, length), [...open, mark])}</${tag}>`
    index += length
  }
  return html
}

/** Returns the mark to open: the one that was outside, then the one that goes on longest. */
function outermost(nodes: readonly Node[], open: readonly Mark[]): Mark | null {
  let best: { mark: Mark; length: number } | null = null
  for (const mark of waiting(nodes[0], open)) {
    const length = lengthOf(mark, nodes, open)
    const isBetter =
      best === null ||
      mark.attrs.order < best.mark.attrs.order ||
      (mark.attrs.order === best.mark.attrs.order && length > best.length)
    if (isBetter) best = { mark, length }
  }
  return best?.mark ?? null
}

function waiting(node: Node | undefined, open: readonly Mark[]): readonly Mark[] {
  return node?.marks.filter((mark) => !open.some((each) => isSameElement(each, mark))) ?? []
}

/** Returns how many nodes the element holds. One that was deeper in another element begins again there. */
function lengthOf(mark: Mark, nodes: readonly Node[], open: readonly Mark[]): number {
  const end = nodes.findIndex((node) => {
    const marks = waiting(node, open)
    const same = marks.find((each) => isSameElement(each, mark))
    if (same === undefined) return true
    return same.attrs.order !== mark.attrs.order && marks.some((each) => each.attrs.order < same.attrs.order)
  })
  return end < 0 ? nodes.length : end
}

function isSameElement(one: Mark, other: Mark): boolean {
  return (
    one.type === other.type &&
    one.attrs.part === other.attrs.part &&
    JSON.stringify(one.attrs.html) === JSON.stringify(other.attrs.html)
  )
}
