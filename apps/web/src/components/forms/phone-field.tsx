import { hasVisibleText } from '@tidings/contracts/membership/typed-text'
import { type ComponentProps, useEffect, useEffectEvent, useRef, useState } from 'react'
import { invalidPhoneText, loadPhoneLibrary } from '#lib/phone/phone-numbers.ts'
import { shownBeforeLibrary } from '#lib/phone/shown-before-library.ts'
import { useServices } from '#lib/services.tsx'
import { TextField } from './text-field.tsx'
import { TextedCountriesHint } from './texted-countries-hint.tsx'

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
  const { phoneRegion, textedCountries } = useServices().config
  const field = useRef<HTMLInputElement>(null)
  const [isInvalid, setInvalid] = useState(false)
  const [stored] = useState(value)

  const group = useEffectEvent(async () => {
    const library = await loadPhoneLibrary()
    const text = field.current?.value ?? ''
    // The reader may have come back to the field while the library was loading.
    if (library === null || !hasVisibleText(text) || field.current === document.activeElement) return
    const grouped = library.groupDigits(text, phoneRegion)
    setInvalid(library.toE164(text, phoneRegion) === null)
    if (grouped !== text) onChange(grouped)
  })

  useEffect(() => {
    if (storedNumber.test(value)) void group()
  }, [value])

  const hintId = `${id}-hint`
  const countriesId = `${id}-countries`
  const isHinted = isInvalid && error == null
  const hintIds = [...(isHinted ? [hintId] : []), ...(textedCountries.length > 0 ? [countriesId] : [])]
  return (
    <>
      <TextField
        autoComplete="tel"
        inputMode="tel"
        {...input}
        id={id}
        type="tel"
        ref={field}
        value={value === stored ? shownBeforeLibrary(value, phoneRegion) : value}
        error={error ?? null}
        hintId={hintIds.length > 0 ? hintIds.join(' ') : null}
        onFocus={() => void loadPhoneLibrary()}
        onBlur={() => void group()}
        onChange={(event) => {
          setInvalid(false)
          onChange(event.target.value)
        }}
      />
      {isHinted ? (
        <p className="field-hint" id={hintId}>
          {invalidPhoneText}
        </p>
      ) : null}
      <TextedCountriesHint id={countriesId} />
    </>
  )
}
