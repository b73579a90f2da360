import { expect } from 'vitest'
import type { AlertKind } from '#platform/alert-kinds.ts'
import type { TestApp } from '../test-app.ts'

const minuteMs = 60_000

/** The needs of an alert's life: its checks return the emails that were sent. */
type AlertLife = {
  kind: AlertKind
  clock: TestApp['clock']
  check: () => Promise<{ subject: string; text: string }[]>
  begin: () => Promise<() => Promise<unknown>>
}

/** Expects one email when a problem begins, another after an hour unless it is over by then, and one when it is over. */
export async function expectAlertLife({ kind, clock, check, begin }: AlertLife): Promise<string> {
  const end = await begin()
  const [first, ...more] = await check()
  expect(more).toEqual([])
  expect(first?.subject).toMatch(/^Tidings: /)
  expect(first?.text).toContain(`add ${kind} to OPERATOR_EMAIL_EXCEPT`)
  clock.pass(59 * minuteMs)
  expect(await check()).toEqual([])
  if (kind !== 'dead-job') {
    clock.pass(minuteMs)
    expect((await check()).map(({ subject }) => subject)).toEqual([first?.subject])
  }
  await end()
  const [over, ...others] = await check()
  expect(others).toEqual([])
  expect(over?.subject).toBe(first?.subject.replace('Tidings: ', 'Tidings: over: '))
  expect(await check()).toEqual([])
  return first?.text ?? ''
}
