/** The languages that the widget has a catalog of. */
export const languages = ['en', 'es', 'fr', 'de'] as const
export type Language = (typeof languages)[number]

/**
 * Returns the language of the dialogs: the preferred one, else the page's, else the browser's. A region counts as its
 * language, as `de-AT` does; a language without a catalog is skipped.
 */
export function chooseLanguage(preferred?: string | null): Language {
  const wanted = [preferred, document.documentElement.lang, ...navigator.languages]
  for (const tag of wanted) {
    const primary = tag?.trim().toLowerCase().split(/[-_]/)[0]
    const language = languages.find((one) => one === primary)
    if (language) return language
  }
  return 'en'
}
