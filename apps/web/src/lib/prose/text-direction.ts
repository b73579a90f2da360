import { directionOfLanguage } from '@tidings/contracts/site/text-direction'

/** Returns the direction of a text in a language; that of its first letter, if the language is the site's. */
export function directionOf(language: string | undefined): 'ltr' | 'rtl' | 'auto' {
  return language === undefined ? 'auto' : directionOfLanguage(language)
}
