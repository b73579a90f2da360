import { expect, test } from 'vitest'
import { runVitest } from './runners.ts'

test.each([
  ['was killed', AbortSignal.abort(), 'without results'],
  ['ran no test', new AbortController().signal, /without results|no test ran/],
])('rejects when Vitest %s', async (_, signal, message) => {
  await expect(runVitest({ log: () => {}, signal, file: 'no-such.test.ts' })).rejects.toThrow(message)
})
