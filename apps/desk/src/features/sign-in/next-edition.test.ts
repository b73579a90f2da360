import { expect, it } from 'vitest'
import { nextEditionText } from './next-edition.ts'

const slots = [
  { label: '10AM', minutes: 600 },
  { label: '8PM', minutes: 1_200 },
]

it.for([
  ['2026-11-20T17:00:00Z', 'The next edition is due at 10AM.'],
  ['2026-11-20T18:00:00Z', 'The next edition is due at 8PM.'],
  ['2026-11-21T04:00:01Z', 'The next edition is due tomorrow at 10AM.'],
] as const)('says at %s when the next edition is due', ([now, text]) => {
  expect(nextEditionText({ slots, timeZone: 'America/Los_Angeles' }, new Date(now))).toBe(text)
})
