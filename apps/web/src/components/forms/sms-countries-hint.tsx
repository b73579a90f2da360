import { describeSmsCountries } from '#lib/phone/sms-countries.ts'
import { useServices } from '#lib/services/services.tsx'

/** Says below a phone field which countries' numbers get texts; nothing on a site that sends none. */
export function SmsCountriesHint({ id }: { id: string }) {
  const { smsCountries, phoneRegion } = useServices().config
  const language = document.documentElement.lang || 'en'
  const countries = describeSmsCountries(smsCountries, phoneRegion, language)
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
