import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { ArchiveJump } from './archive-jump.tsx'

it('leads to a month of the year that was just chosen, before the view has followed', () => {
  const days = [2016, 2014].flatMap((year) =>
    [4, 3].map((month) => ({ date: { year, month, day: 1 }, slots: [] })),
  )
  const [first, second, , last] = days
  const onJump = vi.fn()
  const selected = (name: string) => screen.getByRole<HTMLSelectElement>('combobox', { name }).value
  const view = (shown = first, isScrolling = false) => (
    <ArchiveJump days={days} shown={shown?.date ?? null} isScrolling={isScrolling} onJump={onJump} />
  )
  const { rerender } = render(view())

  fireEvent.change(screen.getByRole('combobox', { name: 'Year' }), { target: { value: '2014' } })
  // An earlier scroll is drawn in between.
  rerender(view(second, true))
  fireEvent.change(screen.getByRole('combobox', { name: 'Month' }), { target: { value: '3' } })
  expect(onJump.mock.calls).toEqual([
    [2014, 4],
    [2014, 3],
  ])

  for (const [shown, year, month] of [
    [last, '2014', '3'],
    [first, '2016', '4'],
  ] as const) {
    rerender(view(shown))
    expect([selected('Year'), selected('Month')]).toEqual([year, month])
  }
})
