import { useEffect, useState } from 'react'
import { after } from './timer.ts'

/** Returns a value once it has stayed the same for a time. */
export function usePause<Value>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => after(ms, () => setSettled(value)), [value, ms])
  return settled
}
