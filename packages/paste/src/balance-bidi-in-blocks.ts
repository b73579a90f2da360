import { descendants, type HtmlElement, type HtmlNode, isBlock, withChildren } from './html-tree.ts'
import { rewriteTree } from './rewrite-tree.ts'
import { balanceBidiOf } from './text/balance-bidi.ts'

const controls = /[\u202a-\u202e\u2066-\u2069]/

/** Removes bidirectional controls that have no counterpart in the same line of text, of which inline elements are parts. */
export function balanceBidiInBlocks(root: HtmlElement): HtmlElement {
  if (!hasControls(root)) return root
  const lines: string[][] = [[]]
  const visit = (text: string): HtmlNode[] => {
    lines.at(-1)?.push(text)
    return [text]
  }
  walk(root, visit, () => lines.push([]))
  const balanced = lines.flatMap(balanceBidiOf)[Symbol.iterator]()
  return walk(
    root,
    (text) => [balanced.next().value ?? text].filter((each) => each !== ''),
    () => {},
  )
}

function hasControls(root: HtmlElement): boolean {
  for (const node of descendants(root)) if (typeof node === 'string' && controls.test(node)) return true
  return false
}

/** Visits the texts in document order, and calls `endLine` wherever a block begins or ends. */
function walk(root: HtmlElement, text: (text: string) => HtmlNode[], endLine: () => void): HtmlElement {
  const endAt = (element: HtmlElement) => {
    if (isBlock(element)) endLine()
  }
  return rewriteTree(root, true, {
    enter: (element, context) => {
      endAt(element)
      return context
    },
    leave: (element, children) => {
      endAt(element)
      return [withChildren(element, children)]
    },
    text,
  })
}
