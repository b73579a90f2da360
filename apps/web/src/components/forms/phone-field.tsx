import { hasVisibleText } from '@tidings/contracts/membership/typed-text'
import { type ComponentProps, useEffect, useEffectEvent, useRef, useState } from 'react'
import { invalidPhoneText, isWrongPhone, loadPhoneLibrary } from '#lib/phone/phone-numbers.ts'
import { shownBeforeLibrary } from '#lib/phone/shown-before-library.ts'
import { useServices } from '#lib/services/services.tsx'
import { SmsCountriesHint } from './sms-countries-hint.tsx'
import { TextField } from './text-field.tsx'

type PhoneFieldProps = Omit<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'type'> & {
  /** The number as it is typed, or as it is stored. */
  value: string
  onChange: (text: string) => void
}

const storedNumber = /^\+\d{5,15}$/

/**
 * A phone number, written the way people do: it is grouped when the reader leaves the field. Save it with
 * `toStoredPhone`. The phone library loads on the first focus or with a stored number; without it, the field takes any
 * text.
 */
export function PhoneField({ id, value, onChange, error, ...input }: PhoneFieldProps) {
  const { phoneRegion, smsCountries } = useServices().config
  const field = useRef<HTMLInputElement>(null)
  // The text that was typed last; null for a stored number.
  const [typed, setTyped] = useState<string | null>(null)
  const [isInvalid, setInvalid] = useState(false)
  const isTyped = value === typed

  const group = useEffectEvent(async ({ isStored }: { isStored: boolean }) => {
    const before = field.current?.value
    const library = await loadPhoneLibrary()
    const text = field.current?.value ?? ''
    if (library === null || !hasVisibleText(text)) return
    // The reader may have come back to the field while the library was loading.
    if (field.current === document.activeElement && !(isStored && text === before)) return
    const grouped = library.groupDigits(text, phoneRegion)
    setInvalid(library.toE164(text, phoneRegion) === null)
    if (grouped !== text) onChange(grouped)
  })

  useEffect(() => {
    if (storedNumber.test(value)) void group({ isStored: !isTyped })
  }, [value, isTyped])

  const countriesId = `${id}-countries`
  return (
    <>
      <TextField
        autoComplete="tel"
        inputMode="tel"
        {...input}
        id={id}
        type="tel"
        ref={field}
        value={isTyped ? value : shownBeforeLibrary(value, phoneRegion)}
        error={error ?? (isInvalid && isTyped ? invalidPhoneText : null)}
        hintId={smsCountries.length > 0 ? countriesId : null}
        onFocus={() => void loadPhoneLibrary()}
        onBlur={() => void group({ isStored: false })}
        onChange={(event) => {
          const text = event.target.value
          setTyped(text)
          setInvalid(isInvalid && isWrongPhone(text, phoneRegion))
          onChange(text)
        }}
      />
      <SmsCountriesHint id={countriesId} />
    </>
  )
}
