import { z } from 'zod'

/** A BCP 47 language tag such as `en` or `pt-BR`, in canonical case. */
export const languageTag = z
  .string()
  .max(35)
  .refine(isLanguageTag, { error: 'must be a BCP 47 language tag, such as en, ar or pt-BR', abort: true })
  .overwrite((tag) => Intl.getCanonicalLocales(tag).join())

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
