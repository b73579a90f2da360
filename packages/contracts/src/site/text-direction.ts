const rightToLeft = new Set(['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg'])

/** Returns the direction of the script of a language, a BCP 47 tag. */
export function directionOfLanguage(language: string): 'ltr' | 'rtl' {
  const { script } = new Intl.Locale(language).maximize()
  return script !== undefined && rightToLeft.has(script) ? 'rtl' : 'ltr'
}
