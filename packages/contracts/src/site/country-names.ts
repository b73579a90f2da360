/** Returns the names of countries in a language, sorted: `Austria, Germany, and Switzerland`. Free of zod, for the browser. */
export function namesOfCountries(codes: readonly string[], language: string): string {
  return new Intl.ListFormat(language).format(sortedCountryNames(codes, language))
}

/** Returns the names of countries in a language, sorted. */
export function sortedCountryNames(codes: readonly string[], language: string): string[] {
  const names = new Intl.DisplayNames(language, { type: 'region' })
  return codes.map((code) => names.of(code) ?? code).sort(new Intl.Collator(language).compare)
}
