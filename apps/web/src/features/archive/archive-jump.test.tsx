import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { ArchiveJump } from './archive-jump.tsx'

it('leads to a month of the year that was just chosen, before the view has followed', () => {
  const days = [2016, 2014].flatMap((year) =>
    [4, 3].map((month) => ({ date: { year, month, day: 1 }, slots: [] })),
  )
  const [first, , last] = days
  const onJump = vi.fn()
  const selected = (name: string) => screen.getByRole<HTMLSelectElement>('combobox', { name }).value
  const view = (shown = first) => <ArchiveJump days={days} shown={shown?.date ?? null} onJump={onJump} />
  const { rerender } = render(view())

  fireEvent.change(screen.getByRole('combobox', { name: 'Year' }), { target: { value: '2014' } })
  fireEvent.change(screen.getByRole('combobox', { name: 'Month' }), { target: { value: '3' } })
  expect(onJump.mock.calls).toEqual([
    [2014, 4],
    [2014, 3],
  ])

  for (const [shown, year] of [
    [last, '2014'],
    [first, '2016'],
  ] as const) {
    rerender(view(shown))
    expect([selected('Year'), selected('Month')]).toEqual([year, '4'])
  }
})
