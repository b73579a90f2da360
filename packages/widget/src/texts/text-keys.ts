import type { texts } from './en.ts'
import type { notices } from './notices/en.ts'

/** The English texts, which name the placeholders of each key. */
export type English = typeof texts

/** The key of a text, as in the app's text map. */
export type TextKey = keyof English

/** All texts of a language. */
export type Texts = Record<TextKey, string>

/** The texts of a language that the page's script itself has. */
export type NoticeTexts = Record<keyof typeof notices, string>
