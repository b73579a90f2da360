import { expect, it } from 'vitest'
import { parseStat } from './processor-time.ts'

it.each(['node', 'a name) with (brackets'])('adds the user and system time of %s', (name) => {
  const stat = `4711 (${name}) S 1 4711 4711 0 -1 4194560 5000 0 1 0 150 25 0 0 20 0 11 0 99 1000 200`
  expect(parseStat(stat)).toBe(1.75)
})
