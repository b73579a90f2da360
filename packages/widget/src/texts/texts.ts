import type { Language } from './language.ts'
import type { English, TextKey, Texts } from './text-keys.ts'
import { findText } from './text-maps.ts'

type PlaceholdersOf<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholdersOf<Rest>
  : never
type ValuesOf<Key extends TextKey> = [PlaceholdersOf<English[Key]>] extends [never]
  ? []
  : [values: Record<PlaceholdersOf<English[Key]>, string | number>]

/** Returns a text, with its placeholders filled in. */
export type Translate = <Key extends TextKey>(key: Key, ...values: ValuesOf<Key>) => string

// One file each, which bundlers load on its own.
const files: Record<Language, () => Promise<{ texts: Texts }>> = {
  en: () => import('./en.ts'),
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  de: () => import('./de.ts'),
}

/** Loads the texts of a language. */
export async function loadTexts(language: Language): Promise<Texts> {
  return (await files[language]()).texts
}

/** Creates the function that returns texts. The first of `replacements` that has a key wins over the language's text. */
export function createTranslate(texts: Texts, ...replacements: readonly unknown[]): Translate {
  return (key, ...[values]) => {
    let text = findText(replacements, key) ?? texts[key]
    // In the text maps of published clients the name of the provider follows the text.
    if (key === 'continue_with' && !text.includes('{provider}')) text += ' {provider}'
    for (const [name, value] of Object.entries(values ?? {}))
      text = text.replaceAll(`{${name}}`, () => `${value}`)
    return text
  }
}
