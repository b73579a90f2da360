import { namesOfCountries, sortedCountryNames } from '@tidings/contracts/site/country-names'

/** The countries whose numbers get texts, as a screen names them. `all`: the whole list, if `text` has a part. */
export type SmsCountries = { text: string; all: string | null }

// More names than a person reads in a sentence.
const maxNames = 5
const examples = 3

/** Describes the countries in the site's language, beginning with its own; null for none. */
export function describeSmsCountries(
  countries: readonly string[],
  region: string,
  language: string,
): SmsCountries | null {
  if (countries.length === 0) return null
  const all = namesOfCountries(countries, language)
  if (countries.length <= maxNames) return { text: `Texts go to mobile numbers from: ${all}.`, all: null }
  const own = countries.filter((country) => country === region)
  const others = countries.filter((country) => country !== region)
  const named = [own, others].flatMap((each) => sortedCountryNames(each, language)).slice(0, examples)
  const some = new Intl.ListFormat(language).format(named)
  return {
    text: `Texts go to mobile numbers from ${countries.length} countries, among them: ${some}.`,
    all,
  }
}
