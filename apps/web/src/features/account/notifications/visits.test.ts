import { expect, it } from 'vitest'
import { createStore } from '#lib/storage/store.ts'
import { countVisit, hasDeclined, saveDeclined } from './visits.ts'

const start = new Date(2026, 10, 20, 12, 0)
const store = () => createStore(() => window.localStorage)
const after = (minutes: number) => new Date(start.getTime() + minutes * 60_000)

it.each([
  ['the first time', [0], 1],
  ['again after 29 minutes', [0, 29], 1],
  ['again after 30 minutes', [0, 30], 2],
  ['every 20 minutes', [0, 20, 40, 60], 1],
  ['after midnight', [11 * 60 + 50, 12 * 60 + 5], 2],
  ['on three days', [0, 24 * 60, 48 * 60], 3],
])('opening the page %s makes that many visits', (_when, minutes, visits) => {
  const counts = minutes.map((minute) => countVisit(store(), after(minute)))
  expect(counts.at(-1)).toBe(visits)
})

it('begins to count again when what is stored makes no sense', () => {
  window.localStorage.setItem('tidings:visits', 'many yesterday')
  expect(countVisit(store(), start)).toBe(1)
})

it('keeps that the reader declined', () => {
  expect(hasDeclined(store())).toBe(false)
  saveDeclined(store())
  expect(hasDeclined(store())).toBe(true)
})
