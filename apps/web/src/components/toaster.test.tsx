import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ToastProvider, type Toasts, useToasts } from './toaster.tsx'
import type { ToastKind } from './toasts.ts'

let toasts: Toasts | null = null

function ToastUser() {
  toasts = useToasts()
  return null
}

function show(kind: ToastKind, text: string): number {
  let id = 0
  act(() => {
    id = toasts?.show(kind, text) ?? 0
  })
  return id
}

describe('the toaster', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    render(
      <ToastProvider>
        <ToastUser />
      </ToastProvider>,
    )
  })
  afterEach(() => vi.useRealTimers())

  it.each([
    ['blank', 4000],
    ['error', 4000],
    ['success', 2000],
    ['custom', 4000],
  ] as const)('shows a %s toast for %i ms and removes it a second later', (kind, shownMs) => {
    show(kind, 'Hello')
    act(() => vi.advanceTimersByTime(shownMs - 1))
    expect(screen.getByText('Hello').dataset.visible).toBe('true')
    act(() => vi.advanceTimersByTime(1))
    expect(screen.getByText('Hello').dataset.visible).toBe('false')
    act(() => vi.advanceTimersByTime(999))
    expect(screen.queryByText('Hello')).not.toBeNull()
    act(() => vi.advanceTimersByTime(1))
    expect(screen.queryByText('Hello')).toBeNull()
  })

  it('shows a loading toast until it is dismissed', () => {
    const id = show('loading', 'Saving')
    act(() => vi.advanceTimersByTime(3_600_000))
    expect(screen.getByText('Saving').dataset.visible).toBe('true')
    act(() => toasts?.dismiss(id))
    act(() => vi.advanceTimersByTime(1000))
    expect(screen.queryByText('Saving')).toBeNull()
  })

  it('starts the time of a toast again when an identical one is shown', () => {
    show('error', 'Hello')
    act(() => vi.advanceTimersByTime(3000))
    show('error', 'Hello')
    act(() => vi.advanceTimersByTime(3999))
    expect(screen.getByText('Hello').dataset.visible).toBe('true')
    act(() => vi.advanceTimersByTime(1))
    expect(screen.getByText('Hello').dataset.visible).toBe('false')
  })

  it('announces an error as an alert and every other kind as a status', () => {
    show('error', 'Wrong')
    show('success', 'Right')
    expect(screen.getByRole('alert').textContent).toBe('Wrong')
    expect(screen.getByRole('status').textContent).toBe('Right')
  })
})
