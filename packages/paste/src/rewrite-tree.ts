import { type HtmlElement, type HtmlNode, isElement } from './html-tree.ts'

/** How a step changes a tree. A context is passed down to what an element contains. */
export type Rewriting<Context> = {
  /** Returns the context of the element's content, or null to remove the element with its content. */
  enter: (element: HtmlElement, context: Context) => Context | null
  /** Returns what replaces the element, whose children are rewritten already. Gets the context of the content. */
  leave: (element: HtmlElement, children: HtmlNode[], context: Context) => readonly HtmlNode[]
  /** Returns what replaces a text. */
  text?: (text: string, context: Context) => readonly HtmlNode[]
}

type Open<Context> = { element: HtmlElement; context: Context; next: number; children: HtmlNode[] }

/**
 * Rewrites everything in the root, and the root's list of children through `leave`; the root itself stays. It keeps its
 * own stack, because pasted HTML nests deeper than calls can.
 */
export function rewriteTree<Context>(
  root: HtmlElement,
  context: Context,
  { enter, leave, text }: Rewriting<Context>,
): HtmlElement {
  const bottom: Open<Context> = { element: root, context, next: 0, children: [] }
  const open = [bottom]
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const child = top.element.children[top.next++]
    if (child === undefined) {
      open.pop()
      const parent = open.at(-1)
      if (parent) append(parent.children, leave(top.element, top.children, top.context))
    } else if (typeof child === 'string') {
      if (text) append(top.children, text(child, top.context))
      else top.children.push(child)
    } else if (isElement(child)) {
      const inner = enter(child, top.context)
      if (inner !== null) open.push({ element: child, context: inner, next: 0, children: [] })
    } else {
      top.children.push(child)
    }
  }
  // The root's children are grouped as those of any other element are; what `leave` makes of the root is opened again.
  const [kept] = leave({ ...root, name: rootName }, bottom.children, context)
  return { ...root, children: kept !== undefined && isElement(kept) ? kept.children : bottom.children }
}

/** The name under which steps see the root: it has the children of a document, and no markup of its own. */
const rootName = '#root'

/** Rewrites the elements only, from the inside out. */
export function rewriteElements(
  root: HtmlElement,
  leave: (element: HtmlElement, children: HtmlNode[]) => readonly HtmlNode[],
): HtmlElement {
  return rewriteTree(root, true, { enter: (_element, context) => context, leave })
}

// Spreading a long list into `push` overflows the stack.
function append(list: HtmlNode[], more: readonly HtmlNode[]): void {
  for (const node of more) list.push(node)
}
