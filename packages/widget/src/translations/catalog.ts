import type { catalog } from './en.ts'

/** The English catalog, which names the placeholders of each key. */
export type English = typeof catalog

/** The key of a translation, as in the app's `translations`. */
export type TranslationKey = keyof English

/** Everything that the dialogs say, in one language. */
export type Catalog = Record<TranslationKey, string>
