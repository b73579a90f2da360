const quotes = /[“”„‟«»‹›「」『』〝〞〟＂]/g
const dashes = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g
const loneDashes = /(^|\s)-+(?=\s|$)/g

/**
 * Returns what a reader typed with straight quotes, hyphens and spaces, which are the syntax of a search. A dash between
 * spaces excludes nothing.
 */
export function straighten(typed: string): string {
  return typed
    .normalize('NFC')
    .replace(quotes, '"')
    .replace(dashes, '-')
    .replace(/\s/g, ' ')
    .replace(loneDashes, '$1')
    .trim()
}
