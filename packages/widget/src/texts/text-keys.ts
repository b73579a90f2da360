import type { texts } from './en.ts'

/** The English texts, which name the placeholders of each key. */
export type English = typeof texts

/** The key of a text, as in the app's text map. */
export type TextKey = keyof English

/** All texts of a language. */
export type Texts = Record<TextKey, string>
