import { describeTextedCountries } from '#lib/phone/texted-countries.ts'
import { useServices } from '#lib/services.tsx'

/** Returns what a phone field says about the countries whose numbers get texts; null on a site that sends none. */
export function useTextedCountries() {
  const { textedCountries, phoneRegion } = useServices().config
  return describeTextedCountries(textedCountries, phoneRegion, document.documentElement.lang || 'en')
}

/** Says below a phone field which countries' numbers get texts. */
export function TextedCountriesHint({ id }: { id: string }) {
  const countries = useTextedCountries()
  if (countries === null) return null
  return (
    <div className="field-hint">
      <p id={id}>{countries.text}</p>
      {countries.all === null ? null : (
        <details className="all-countries">
          <summary>All countries</summary>
          <p>{countries.all}</p>
        </details>
      )}
    </div>
  )
}
