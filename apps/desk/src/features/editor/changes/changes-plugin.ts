import type { Node } from 'prosemirror-model'
import { Plugin } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import { parseStored } from '../paste/read-clipboard.ts'
import { textChanges } from './text-changes.ts'

/** Underlines the words that another text doesn't have, and shows those that only it has, struck. */
export function changesPlugin(comparedWith: () => string | null): Plugin {
  let last: { doc: Node; html: string; set: DecorationSet } | null = null
  return new Plugin({
    props: {
      decorations({ doc }) {
        const html = comparedWith()
        if (html === null) return DecorationSet.empty
        if (last === null || last.doc !== doc || last.html !== html)
          last = { doc, html, set: DecorationSet.create(doc, changesIn(doc, html)) }
        return last.set
      },
    },
  })
}

function changesIn(doc: Node, html: string): Decoration[] {
  const { text, starts } = flat(doc)
  const { inserted, deleted } = textChanges(flat(parseStored(html)).text, text)
  const placeOf = (offset: number) => {
    const start = starts.findLast((each) => each.offset <= offset)
    return start === undefined ? 1 : start.position + offset - start.offset
  }
  return [
    ...inserted
      .map(({ from, to }) => ({ from: from + spaceBefore(text.slice(from, to)), to }))
      .filter(({ from, to }) => from < to)
      .map(({ from, to }) => Decoration.inline(placeOf(from), placeOf(to), { class: 'editor-new' })),
    ...deleted
      .filter(({ text: words }) => words.trim() !== '')
      .map(({ at, text: words }) => Decoration.widget(placeOf(at), () => struck(words), { side: -1 })),
  ]
}

/** Returns the text of a document, a line for each block, and where each piece of it begins. */
function flat(doc: Node): { text: string; starts: { offset: number; position: number }[] } {
  const starts: { offset: number; position: number }[] = []
  let text = ''
  doc.descendants((node, position) => {
    if (node.isTextblock && text !== '') text += '\n'
    if (node.isTextblock) starts.push({ offset: text.length, position: position + 1 })
    if (!node.isText) return
    starts.push({ offset: text.length, position })
    text += node.text ?? ''
  })
  return { text, starts }
}

/** Returns struck words. The space before them is no part of the change. */
function struck(words: string): HTMLElement {
  const element = document.createElement('del')
  element.className = 'editor-old'
  const space = spaceBefore(words)
  element.textContent = words.slice(space)
  if (space === 0) return element
  const spaced = document.createElement('span')
  spaced.append(words.slice(0, space), element)
  return spaced
}

function spaceBefore(words: string): number {
  return words.length - words.trimStart().length
}
