import type { Catalog, English, TranslationKey } from './catalog.ts'
import type { Language } from './language.ts'
import { findOverride } from './overrides.ts'

type PlaceholdersOf<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholdersOf<Rest>
  : never
type ValuesOf<Key extends TranslationKey> = [PlaceholdersOf<English[Key]>] extends [never]
  ? []
  : [values: Record<PlaceholdersOf<English[Key]>, string | number>]

/** Returns a text, with its placeholders filled in. */
export type Translate = <Key extends TranslationKey>(key: Key, ...values: ValuesOf<Key>) => string

// One file each, which bundlers load on its own.
const files: Record<Language, () => Promise<{ catalog: Catalog }>> = {
  en: () => import('./en.ts'),
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  de: () => import('./de.ts'),
}

/** Loads the catalog of a language. */
export async function loadCatalog(language: Language): Promise<Catalog> {
  return (await files[language]()).catalog
}

/** Creates the function that returns texts. The first of `overrides` that has a key wins over the catalog. */
export function createTranslate(catalog: Catalog, ...overrides: readonly unknown[]): Translate {
  return (key, ...[values]) => {
    let text = findOverride(overrides, key) ?? catalog[key]
    // In the overrides of published clients the name of the provider follows the text.
    if (key === 'continue_with' && !text.includes('{provider}')) text += ' {provider}'
    for (const [name, value] of Object.entries(values ?? {}))
      text = text.replaceAll(`{${name}}`, () => `${value}`)
    return text
  }
}
