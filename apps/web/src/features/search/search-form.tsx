import { limits } from '@tidings/contracts/limits'
import { hasVisibleText } from '@tidings/contracts/membership/typed-text'
import { useEffect, useId, useRef, useState } from 'react'
import { describedField, FieldError } from '#components/forms/field-error.tsx'
import { isReversed, type SearchRequest } from './search-request.ts'

const typingPauseMs = 200
const days = [
  { name: 'from', label: 'First day' },
  { name: 'to', label: 'Last day' },
] as const

// The element <search> is unknown to browsers from before 2024.
const landmark = { role: 'search' }

type SearchFormProps = { request: SearchRequest; onChange: (request: SearchRequest) => void }

/** The field for the words, which searches while the reader types, and the range of days. */
export function SearchForm({ request, onChange }: SearchFormProps) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const { typed, setTyped, searchNow } = useTypedWords(request, onChange)
  const [isRefused, setRefused] = useState(false)
  const wordsError = isRefused ? 'Enter words to look for.' : null
  const error = isReversed(request) ? 'The first day is after the last one.' : null
  // Afterwards, only the reader opens and closes it.
  const [hadDays] = useState(request.from !== '' || request.to !== '')

  useEffect(() => {
    // On a phone, the focus would open the keyboard over the screen.
    if (field.current?.value === '' && window.matchMedia('(hover: hover) and (pointer: fine)').matches) {
      field.current.focus()
    }
  }, [])

  return (
    <form
      {...landmark}
      className="search-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (!hasVisibleText(typed)) {
          setRefused(true)
          return field.current?.focus()
        }
        searchNow()
        field.current?.blur()
      }}
    >
      <div className="field">
        <label htmlFor={id}>Words to look for</label>
        <input
          id={id}
          ref={field}
          type="search"
          value={typed}
          maxLength={limits.searchCharacters}
          dir="auto"
          autoComplete="off"
          enterKeyHint="search"
          {...describedField(id, { error: wordsError })}
          onChange={(event) => {
            setTyped(event.target.value)
            if (hasVisibleText(event.target.value)) setRefused(false)
          }}
        />
        <FieldError id={id} error={wordsError} isAlert />
      </div>
      <details className="search-days" open={hadDays}>
        <summary>Choose days</summary>
        <div className="search-day-fields">
          {days.map(({ name, label }) => (
            <div className="field" key={name}>
              <label htmlFor={`${id}-${name}`}>{label}</label>
              <input
                id={`${id}-${name}`}
                type="date"
                min="2000-01-01"
                max="2099-12-31"
                value={request[name]}
                aria-invalid={error !== null}
                aria-describedby={error === null ? undefined : `${id}-to-error`}
                onChange={(event) => onChange({ ...request, q: typed.trim(), [name]: event.target.value })}
              />
            </div>
          ))}
        </div>
        <FieldError id={`${id}-to`} error={error} isAlert />
      </details>
    </form>
  )
}

/** Holds what the reader types, and searches for it after a pause. */
function useTypedWords(request: SearchRequest, onChange: SearchFormProps['onChange']) {
  const [typed, setTyped] = useState(request.q)
  // The words of the address, when these are not from this field.
  const [known, setKnown] = useState(request.q)
  if (request.q !== known) {
    setKnown(request.q)
    if (typed.trim() !== request.q) setTyped(request.q)
  }
  const search = useRef(() => {})
  search.current = () => {
    if (typed.trim() !== request.q) onChange({ ...request, q: typed.trim() })
  }
  useEffect(() => {
    if (typed.trim() === known) return
    const timer = setTimeout(() => search.current(), typingPauseMs)
    return () => clearTimeout(timer)
  }, [typed, known])
  return { typed, setTyped, searchNow: () => search.current() }
}
