import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { ServicesProvider } from '#lib/services/services.tsx'
import { testServices } from '#testing/test-services.ts'
import { CommentTime, commentTimeText } from './comment-time.tsx'

afterEach(() => void vi.useRealTimers())

const now = new Date(2026, 10, 20, 12, 0)

it.each([
  ['of today has its time', new Date(2026, 10, 20, 10, 5), '10:05\u00A0AM'],
  ['of the first minute has its time', new Date(2026, 10, 20, 0, 0), '12:00\u00A0AM'],
  ['ahead of the reader’s clock has its time', new Date(2026, 10, 21, 0, 1), '12:01\u00A0AM'],
  ['of yesterday says so', new Date(2026, 10, 19, 22, 30), 'Yesterday, 10:30\u00A0PM'],
  ['of this year has its day', new Date(2026, 10, 18, 10, 5), 'November 18'],
  ['of an earlier year has its date', new Date(2025, 11, 31, 10, 5), 'December 31, 2025'],
])('a comment %s', (_, at, text) => {
  expect(commentTimeText(at, now)).toBe(text)
})

it('a comment of today is of yesterday after midnight, without a reload', () => {
  vi.useFakeTimers({ now })
  let current = now
  const clock = { now: () => current, timeZone: () => 'UTC', random: () => 0.5 }
  render(
    <ServicesProvider value={testServices({ clock })}>
      <CommentTime iso={new Date(2026, 10, 20, 10, 5).toISOString()} />
    </ServicesProvider>,
  )
  expect(screen.getByText('10:05 AM').title).toBe('November 20, 10:05\u00A0AM')
  current = new Date(2026, 10, 21, 0, 0, 1)
  act(() => void vi.advanceTimersByTime(12 * 60 * 60_000 + 1000))
  expect(screen.getByText('Yesterday, 10:05 AM')).toBeDefined()
})
