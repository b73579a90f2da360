import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useKeys } from '#lib/browser/use-keys.ts'

const pauseMs = 300

/** The words of the search, which follows the typing after a short pause. */
export function SearchField({ words, onSearch }: { words: string; onSearch: (words: string) => void }) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(words)
  const [shown, setShown] = useState(words)
  // The address changed by another way, such as Back.
  if (shown !== words) {
    setShown(words)
    if (typed.trim() !== words) setTyped(words)
  }
  const search = useEffectEvent(() => {
    if (typed.trim() !== words) onSearch(typed.trim())
  })
  useEffect(() => {
    const timer = setTimeout(() => search(), pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  useKeys({ '/': () => field.current?.focus() })
  useEffect(() => {
    if (location.hash === '#search') field.current?.focus()
  }, [])
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onSearch(typed.trim())
        }}
      >
        <input
          ref={field}
          type="search"
          maxLength={200}
          aria-label="Search the archive"
          placeholder="Words of a title, a text, a caption or a source"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </form>
    </search>
  )
}
