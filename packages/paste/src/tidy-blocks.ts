import {
  type HtmlElement,
  type HtmlNode,
  isBlock,
  isNamed,
  isSpace,
  omitAttributes,
  withChildren,
} from './html-tree.ts'
import { withoutOnlyParagraph } from './repair-lists.ts'
import { rewriteElements } from './rewrite-tree.ts'

const lineNames = ['p', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const itemNames = ['li', 'td', 'th']
// How a program draws an element, or finds it again.
const programAttribute =
  /^(?:align|bgcolor|border|cell(?:padding|spacing)|clear|color|face|height|[hv]space|id|name|nowrap|para(?:e)?id|role|size|valign|width|xml:lang|aria-.*|data-.*)$/
/** Removes blank lines, which programs write for space. Items and cells lose the one paragraph around their content. */
export function tidyBlocks(root: HtmlElement, { isFromProgram }: { isFromProgram: boolean }): HtmlElement {
  return rewriteElements(root, (element, children) => {
    const isLine = (isFromProgram ? lineNames : ['div']).includes(element.name)
    if (isLine && isBlank(children)) return []
    if (!isFromProgram) return [withChildren(element, children)]
    const attributes = omitAttributes(
      element.attributes,
      Object.keys(element.attributes).filter((name) => programAttribute.test(name)),
    )
    const tidied = { ...withChildren(element, withoutStrayBreaks(children)), attributes }
    return [itemNames.includes(element.name) ? withoutOnlyParagraph(tidied) : tidied]
  })
}

/** Returns whether lines would show nothing. Blank lines in them are gone already, so only spans are looked into. */
function isBlank(nodes: readonly HtmlNode[]): boolean {
  const rest = [...nodes]
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    if (isNamed(node, ['span'])) for (const child of node.children) rest.push(child)
    else if (!isSpace(node) && !isNamed(node, ['br', 'wbr'])) return false
  }
  return true
}

/** Removes line breaks between blocks and at the end of a line, where they show nothing or a blank line. */
function withoutStrayBreaks(children: readonly HtmlNode[]): readonly HtmlNode[] {
  if (!children.some((child) => isNamed(child, ['br']))) return children
  const isStray = children.map(() => false)
  let followedByBlock = true
  for (let index = children.length - 1; index >= 0; index--) {
    const child = children[index]
    if (child === undefined || isSpace(child)) continue
    const isBreak = isNamed(child, ['br'])
    if (isBreak && followedByBlock) isStray[index] = true
    else followedByBlock = isBlock(child)
  }
  return children.filter((_child, index) => !isStray[index])
}
