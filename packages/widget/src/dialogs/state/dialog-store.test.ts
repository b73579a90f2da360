import { wireApp } from '@tidings/client/testing/wire-samples'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { catalog } from '../../translations/en.ts'
import { createTranslate } from '../../translations/translate.ts'
import { createDialogStore } from './dialog-store.ts'
import { startState } from './start-state.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function createLogin() {
  const start = { app: wireApp(), calls: {}, params: {}, member: null }
  const initial = startState('LOGIN', { ...start, isNarrow: true })
  const t = createTranslate(catalog)
  return createDialogStore({ ...start, t, initial, onResult: () => {}, onChange: () => {} })
}

it('shows a message for seven seconds, each one anew', () => {
  const { showMessage, message } = createLogin()
  showMessage('One')
  vi.advanceTimersByTime(6999)
  showMessage('Two')
  vi.advanceTimersByTime(6999)
  expect(message()?.text).toBe('Two')
  vi.advanceTimersByTime(1)
  expect(message()).toBeNull()
})

it('explains each error of the client in the language of the dialog, and others in their own words', async () => {
  const { run, message } = createLogin()
  for (const [error, text] of [
    [{ code: 'popup-blocked', message: 'x' }, catalog.popup_blocked],
    [{ code: 'popup-timeout', message: 'x' }, catalog.popup_timeout],
    [{ code: 'request-timeout', message: 'x' }, catalog.request_timeout],
    [{ code: 'invalid-credentials', message: 'Wrong.' }, 'Wrong.'],
    [{}, catalog.unknown_error],
  ] as const) {
    await run(
      () => Promise.reject(error),
      () => {},
    )
    expect(message()).toMatchObject({ text, isError: true })
  }
})
