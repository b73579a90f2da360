import { expect, test } from 'vitest'
import { collectGarbage } from './collect-garbage.ts'

test('memory without an owner is returned', async () => {
  const unreachable = new WeakRef({ bytes: new Uint8Array(1_000_000) })
  // A target stays until the task that created its reference ends.
  await new Promise(setImmediate)
  await collectGarbage()
  expect(unreachable.deref()).toBeUndefined()
})
