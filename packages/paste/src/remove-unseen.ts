import {
  classesOf,
  createElement,
  type HtmlElement,
  type HtmlNode,
  isElement,
  isSpace,
  withChildren,
} from './html-tree.ts'
import { rewriteTree } from './rewrite-tree.ts'
import type { StyleReader } from './styles/declarations.ts'

/** The style of the span that holds the marker of a list paragraph. Word writes it too. */
const markerStyle = 'mso-list:ignore'

export const unseenNames: ReadonlySet<string> = new Set([
  'style',
  'meta',
  'link',
  'title',
  'xml',
  'colgroup',
  'col',
])
const unseenClasses = new Set([
  'Apple-interchange-newline',
  'MsoCommentReference',
  'msocomanchor',
  'msocomtxt',
  'msocomoff',
  'CommentStart',
])
// Word's content for programs that can't draw the real thing, and that says nothing.
const unseenConditions = /^\[if !support(?:LineBreakNewLine|Annotations|MisalignedColumns|MisalignedRows)\]/i
const markerCondition = /^\[if !supportLists\]/i
const conditionEnd = /^<?!?\[endif\]/i

type Context = { isHidden: boolean }

/**
 * Removes what the author of the document didn't see: comments, Word's comments and metadata, hidden text, style
 * sheets. Elements of other vocabularies leave their words. Markers between `[if !supportLists]` get a span.
 */
export function removeUnseen(root: HtmlElement, styleOf: StyleReader): HtmlElement {
  return rewriteTree<Context>(
    root,
    { isHidden: false },
    {
      enter: (element, context) => {
        if (isUnseen(element, styleOf)) return null
        const visibility = styleOf(element.attributes.style).get('visibility')
        return visibility === undefined ? context : { isHidden: visibility === 'hidden' }
      },
      leave: (element, children, { isHidden }) => {
        const seen = withoutConditions(children)
        if (isHidden && seen.length === 0) return []
        if (classesOf(element).includes('EOP') && seen.every(isSpace)) return []
        return element.name.includes(':') ? seen : [withChildren(element, seen)]
      },
      text: (text, { isHidden }) => (isHidden ? [] : [text]),
    },
  )
}

function isUnseen(element: HtmlElement, styleOf: StyleReader): boolean {
  if (unseenNames.has(element.name) || /^w:sdtpr$/.test(element.name)) return true
  const classes = classesOf(element)
  if (classes.some((name) => unseenClasses.has(name))) return true
  const style = styleOf(element.attributes.style)
  return (
    style.get('display') === 'none' ||
    style.get('mso-hide') === 'all' ||
    /^comment(?:-list)?$/.test(style.get('mso-element') ?? '')
  )
}

/** Removes comments, and what the conditional ones among them enclose. */
function withoutConditions(children: readonly HtmlNode[]): readonly HtmlNode[] {
  if (children.every((node) => typeof node === 'string' || isElement(node))) return children
  const kept: HtmlNode[] = []
  let open: { isMarker: boolean; nodes: HtmlNode[] } | null = null
  for (const node of children) {
    if (typeof node === 'string' || isElement(node)) {
      const target = open ? open.nodes : kept
      target.push(node)
    } else if (open === null && (markerCondition.test(node.comment) || unseenConditions.test(node.comment))) {
      open = { isMarker: markerCondition.test(node.comment), nodes: [] }
    } else if (open !== null && conditionEnd.test(node.comment)) {
      if (open.isMarker) kept.push(createElement('span', { style: markerStyle }, open.nodes))
      open = null
    }
  }
  // A condition that never ends is none.
  return open ? kept.concat(open.nodes) : kept
}
