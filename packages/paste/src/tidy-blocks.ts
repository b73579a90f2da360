import { descendants, type HtmlElement, type HtmlNode, isBlock, isNamed, isSpace } from './html-tree.ts'
import { withoutOnlyParagraph } from './repair-lists.ts'
import { rewriteElements } from './rewrite-tree.ts'

const lineNames = ['p', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const itemNames = ['li', 'td', 'th']
const anchorsOfPrograms = /^#_(?:toc|ftn|edn|msocom|msoanchor|ref|hlk|bookmark)/i
// How a program draws an element, or finds it again.
const programAttribute =
  /^(?:align|bgcolor|border|cell(?:padding|spacing)|clear|color|face|height|[hv]space|id|name|nowrap|para(?:e)?id|role|size|valign|width|xml:lang|aria-.*|data-.*)$/
const headingOfClass = new Map([
  ['MsoTitle', 'h1'],
  ['MsoHeading7', 'h6'],
  ['MsoHeading8', 'h6'],
  ['MsoHeading9', 'h6'],
])

/** Removes blank lines, which programs write for space. Items and cells lose the one paragraph around their content. */
export function tidyBlocks(root: HtmlElement, { isFromProgram }: { isFromProgram: boolean }): HtmlElement {
  return rewriteElements(root, (element, children) => {
    const isLine = (isFromProgram ? lineNames : ['div']).includes(element.name)
    if (isLine && isBlank(children)) return []
    if (!isFromProgram) return [{ ...element, children }]
    const attributes = Object.fromEntries(
      Object.entries(element.attributes).filter(([name]) => !programAttribute.test(name)),
    )
    const tidied = { ...element, attributes, children: withoutStrayBreaks(children) }
    if (element.name === 'a' && isAnchor(element)) return children
    return [itemNames.includes(element.name) ? withoutOnlyParagraph(tidied) : tidied]
  })
}

/** Gives paragraphs that a program shows as headings the element of a heading. */
export function nameHeadings(root: HtmlElement): HtmlElement {
  return rewriteElements(root, (element, children) => [
    { ...element, name: headingNameOf(element) ?? element.name, children },
  ])
}

function headingNameOf({ name, attributes }: HtmlElement): string | undefined {
  if (name !== 'p' && name !== 'div') return undefined
  const level = Number(attributes['aria-level'] ?? 2)
  if (attributes.role === 'heading' && Number.isInteger(level) && level > 0) return `h${Math.min(level, 6)}`
  return headingOfClass.get(attributes.class?.trim() ?? '')
}

function isBlank(nodes: readonly HtmlNode[]): boolean {
  return nodes.every((node) => {
    for (const each of descendants(node)) {
      if (!isSpace(each) && !isNamed(each, ['br', 'span', 'div', 'wbr'])) return false
    }
    return true
  })
}

/** Removes line breaks between blocks and at the end of a line, where they show nothing or a blank line. */
function withoutStrayBreaks(children: readonly HtmlNode[]): HtmlNode[] {
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

/** Returns whether a link only marks a place, or leads to one that the program made. */
function isAnchor({ attributes }: HtmlElement): boolean {
  return attributes.href === undefined || anchorsOfPrograms.test(attributes.href)
}
