import { useEffect, useLayoutEffect, useRef } from 'react'
import { useKeys } from './use-keys.ts'

/** Something that can be done on the screen now. */
export type Command = {
  name: string
  /** Where or what it is about. */
  hint?: string
  /** As for `useKeys`. */
  keys?: string
  run: () => void
}

const sources: (() => readonly Command[])[] = []

/** Offers what a screen can do in "Find or do", and binds the keys, while it is shown. */
export function useCommands(commands: readonly Command[]): void {
  useKeys(Object.fromEntries(commands.flatMap(({ keys, run }) => (keys === undefined ? [] : [[keys, run]]))))
  const latest = useRef(commands)
  useLayoutEffect(() => {
    latest.current = commands
  })
  useEffect(() => {
    const source = () => latest.current
    sources.push(source)
    return () => {
      sources.splice(sources.indexOf(source), 1)
    }
  }, [])
}

/** Returns what the screens that are shown can do. */
export function currentCommands(): Command[] {
  return sources.flatMap((source) => source())
}
