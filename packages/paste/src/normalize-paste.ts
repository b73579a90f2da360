import { applyStyleSheet, readStyleSheets } from './apply-style-sheets.ts'
import { balanceBidiInBlocks } from './balance-bidi-in-blocks.ts'
import { dropRedundantLanguages } from './drop-redundant-languages.ts'
import { descendants, type HtmlElement, isElement } from './html-tree.ts'
import { removeUnseen, unseenNames } from './remove-unseen.ts'
import { repairLists } from './repair-lists.ts'
import { replaceParts } from './replace-parts.ts'
import { replaceQuotations } from './replace-quotations.ts'
import { createStyleReader } from './styles/declarations.ts'
import { tidyBlocks } from './tidy-blocks.ts'
import { convertWebLists } from './web-lists.ts'
import { convertWordLists } from './word-lists.ts'
import { writeLooks } from './write-looks.ts'

const commentName = '#comment'

type Options = {
  /** The language of the text where it doesn't say its own: a BCP 47 tag. */
  language: string
}

/**
 * Writes what a program put on the clipboard as the HTML that its author saw: emphasis by style as elements, list
 * paragraphs as lists, and nothing that only the program itself reads. HTML without styles stays as it is.
 */
export function normalizePaste(root: HtmlElement, { language }: Options): HtmlElement {
  const { isFromProgram, names } = survey(root)
  // Most texts are written without a program. Steps that can't find anything in them take no time.
  const mayHave = (...wanted: string[]) => isFromProgram || wanted.some((name) => names.has(name))
  const styleOf = createStyleReader()
  const sheet = readStyleSheets(root)
  let tree = applyStyleSheet(root, sheet)
  if (mayHave(commentName, ...unseenNames)) tree = removeUnseen(tree, styleOf)
  if (isFromProgram) {
    tree = dropRedundantLanguages(tree, language)
    tree = convertWebLists(convertWordLists(tree, { styleOf, sheet }), styleOf)
  }
  tree = replaceParts(tree, styleOf)
  if (names.has('q')) tree = replaceQuotations(tree, language)
  if (isFromProgram) tree = repairLists(tree, styleOf, { joins: true })
  if (mayHave('font')) tree = writeLooks(tree, { styleOf, isFromProgram })
  if (mayHave('div')) tree = tidyBlocks(tree, { isFromProgram })
  // Without the spans and blank lines between them, more lists can be directly in a list.
  if (isFromProgram) tree = repairLists(tree, styleOf, { joins: false })
  return balanceBidiInBlocks(tree)
}

/**
 * Returns the names of the nodes, and whether a program wrote the HTML, which then has styles or classes: authors and
 * scripts write tags only.
 */
function survey(root: HtmlElement): { isFromProgram: boolean; names: ReadonlySet<string> } {
  const names = new Set<string>()
  let isFromProgram = false
  for (const node of descendants(root)) {
    if (typeof node === 'string') continue
    names.add(isElement(node) ? node.name : commentName)
    if (!isElement(node)) continue
    const { style, class: classes } = node.attributes
    isFromProgram ||= style !== undefined || classes !== undefined || node.name.includes(':')
  }
  return { isFromProgram, names }
}
