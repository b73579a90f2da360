import { expect, test } from 'vitest'
import { collectGarbage } from './collect-garbage.ts'

// A target stays until the task that created its reference ends, so no test creates it.
const unreachable = new WeakRef({ bytes: new Uint8Array(1_000_000) })

test('memory without an owner is returned', async () => {
  await collectGarbage()
  expect(unreachable.deref()).toBeUndefined()
})
