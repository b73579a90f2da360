import { createElement, type HtmlElement, omitAttributes, withChildren } from './html-tree.ts'
import { rewriteTree } from './rewrite-tree.ts'
import { quotationMarks } from './text/quotation-marks.ts'

type Context = { language: string; depth: number }

/** Replaces `q` by the quotation marks of the language that its text is in. A quotation in another one gets inner marks. */
export function replaceQuotations(root: HtmlElement, language: string): HtmlElement {
  const top = { language: root.attributes.lang ?? language, depth: 0 }
  return rewriteTree<Context>(root, top, {
    enter: ({ name, attributes }, { language: outer, depth }) => ({
      language: attributes.lang?.trim() || outer,
      depth: name === 'q' ? depth + 1 : depth,
    }),
    leave: (element, children, context) => {
      if (element.name !== 'q') return [withChildren(element, children)]
      const [open, close, innerOpen, innerClose] = quotationMarks(context.language)
      const isInner = context.depth % 2 === 0
      const quoted = [isInner ? innerOpen : open, ...children, isInner ? innerClose : close]
      const { lang, dir } = element.attributes
      if (lang === undefined && dir === undefined) return quoted
      return [createElement('span', omitAttributes(element.attributes, ['cite', 'style', 'class']), quoted)]
    },
  })
}
