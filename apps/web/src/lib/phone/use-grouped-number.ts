import { useEffect, useState } from 'react'
import { useServices } from '../services/services.tsx'
import { loadPhoneLibrary } from './phone-numbers.ts'
import { shownBeforeLibrary } from './shown-before-library.ts'

/** Returns a stored number as people of its country write it; null for none. */
export function useGroupedNumber(number: string | null): string | null {
  const { phoneRegion } = useServices().config
  const [grouped, setGrouped] = useState<{ number: string; text: string } | null>(null)
  useEffect(() => {
    if (number === null) return undefined
    let isGone = false
    void loadPhoneLibrary().then((library) => {
      if (library !== null && !isGone) setGrouped({ number, text: library.groupDigits(number, phoneRegion) })
    })
    return () => {
      isGone = true
    }
  }, [number, phoneRegion])
  if (number === null) return null
  return grouped?.number === number ? grouped.text : shownBeforeLibrary(number, phoneRegion)
}
