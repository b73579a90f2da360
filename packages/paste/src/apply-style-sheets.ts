import { classesOf, descendants, type HtmlElement, isElement, textOf, withChildren } from './html-tree.ts'
import { rewriteElements } from './rewrite-tree.ts'
import { joinDeclarations, parseStyleSheet, type StyleSheet } from './styles/style-sheet.ts'

/** Reads all style sheets that the tree contains. */
export function readStyleSheets(root: HtmlElement): StyleSheet {
  const sheets: string[] = []
  for (const node of descendants(root))
    if (isElement(node) && node.name === 'style') sheets.push(textOf(node))
  return parseStyleSheet(sheets.join('\n'))
}

/** Writes what the style sheet says of an element into its `style`, which counts more. */
export function applyStyleSheet(root: HtmlElement, { rules }: StyleSheet): HtmlElement {
  if (rules.size === 0) return root
  return rewriteElements(root, (element, children) => {
    const classes = classesOf(element)
    const selectors = [
      element.name,
      ...classes.map((name) => `.${name}`),
      ...classes.map((name) => `${element.name}.${name}`),
    ]
    const styles = [...selectors.map((selector) => rules.get(selector)), element.attributes.style]
    const style = styles.reduce(joinDeclarations, '') ?? ''
    const styled = withChildren(element, children)
    const isStyled = style === (element.attributes.style ?? '')
    return [isStyled ? styled : { ...styled, attributes: { ...element.attributes, style } }]
  })
}
