import { normalizePaste } from '@tidings/paste/normalize-paste'
import { fitHtml } from './fit-html.ts'
import type { FittedElement } from './fitted-html.ts'
import { parseHtml } from './parse-html.ts'
import { pruneHtml } from './prune-html.ts'
import { writeHtml } from './write-html.ts'

declare const cleaned: unique symbol

/** HTML that is safe to show; only {@link cleanHtml} creates it. */
export type SafeHtml = string & { readonly [cleaned]: true }

/**
 * Returns what an author wrote with its prose, lists, headings, simple tables and links to other sites, without anything
 * that could run, load, style or submit. Other block elements become paragraphs. Every word stays, except those of
 * elements that are no prose. Cleaning clean HTML changes nothing. `language` is the BCP 47 tag of the text.
 */
export function cleanHtml(dirty: string, language = 'en'): SafeHtml {
  const html = writeHtml(cleanTree(dirty, { language })).trim()
  // biome-ignore lint/plugin: the brand exists only for the compiler, and this line is what it stands for.
  return html as SafeHtml
}

/**
 * Lists what {@link cleanHtml} takes from the meaning of a text: tags such as `<script>`, attributes such as `onclick`,
 * links without an http, https or mailto address. Each is listed once, in order of appearance, without what paragraphs
 * replace. Styles that mean something become elements; the others are no loss.
 */
export function listRemoved(dirty: string): string[] {
  const removed = new Set<string>()
  cleanTree(dirty, { onRemoved: (what) => removed.add(what) })
  return [...removed]
}

/** Returns the elements of {@link cleanHtml}, and reports what is lost. */
export function cleanTree(
  dirty: string,
  { language = 'en', onRemoved = () => {} }: { language?: string; onRemoved?: (what: string) => void } = {},
): FittedElement {
  return pruneHtml(fitHtml(normalizePaste(parseHtml(dirty), { language }), onRemoved))
}
