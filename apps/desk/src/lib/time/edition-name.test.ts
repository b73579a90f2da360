import { expect, it } from 'vitest'
import { editionName } from './edition-name.ts'

it.for([
  ['11-28-26-3PM', '3PM'],
  ['11-27-26-8PM', 'yesterday’s 8PM'],
  ['11-29-26-10AM', 'tomorrow’s 10AM'],
  ['11-03-26-8PM', '8PM of November 3'],
  ['11-28-25-8PM', '8PM of November 28, 2025'],
  ['nothing', 'nothing'],
] as const)('%s is called %s', ([key, name]) => {
  expect(editionName(key, { today: { year: 2026, month: 11, day: 28 } })).toBe(name)
})
