import { type HtmlElement, omitAttributes, withChildren } from './html-tree.ts'
import { rewriteTree } from './rewrite-tree.ts'

type Context = { language: string; direction: string; repeated: readonly string[] }

const rightToLeft = /^(?:ar|arc|ckb|dv|fa|he|iw|ps|sd|ug|ur|yi)(?:-|$)/i

/** Removes `lang` and `dir` where they repeat what is around them: programs write them on every run of text. */
export function dropRedundantLanguages(root: HtmlElement, language: string): HtmlElement {
  const direction = rightToLeft.test(language) ? 'rtl' : 'ltr'
  return rewriteTree<Context>(
    root,
    { language, direction, repeated: [] },
    {
      enter: ({ attributes }, around) => {
        const { lang, dir } = attributes
        if (lang === undefined && dir === undefined)
          return around.repeated.length === 0 ? around : { ...around, repeated: [] }
        const isRepeated = lang !== undefined && (isUnknown(lang) || isSameLanguage(lang, around.language))
        return {
          language: lang === undefined || isRepeated ? around.language : lang,
          direction: dir?.toLowerCase() ?? around.direction,
          repeated: [
            ...(isRepeated ? ['lang'] : []),
            ...(dir !== undefined && dir.toLowerCase() === around.direction ? ['dir'] : []),
          ],
        }
      },
      leave: (element, children, { repeated }) => [
        repeated.length === 0
          ? withChildren(element, children)
          : { ...element, attributes: omitAttributes(element.attributes, repeated), children },
      ],
    },
  )
}

/** Returns whether a tag says nothing, as Word's `X-NONE` does. */
function isUnknown(tag: string): boolean {
  return tag.trim() === '' || /^x-/i.test(tag)
}

/** Returns whether one tag is the other one, or a region of it. */
function isSameLanguage(one: string, other: string): boolean {
  const [a, b] = [`${one.trim().toLowerCase()}-`, `${other.trim().toLowerCase()}-`]
  return a.startsWith(b) || b.startsWith(a)
}
