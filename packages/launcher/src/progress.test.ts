import { describe, expect, test } from 'vitest'
import { createProgress, seconds } from './progress.ts'

function recorder(isTTY: boolean) {
  const written: string[] = []
  return { isTTY, written, write: (text: string) => written.push(text) }
}

/** A clock that has moved on by a second and a half at each look. */
function clock() {
  let time = 0
  return () => {
    time += 1_500
    return time
  }
}

/** What a terminal shows once its line-clearing codes have worked. */
function afterClearing(text: string) {
  return text
    .split('\n')
    .map((line) => line.split('\r\u001b[2K').at(-1))
    .join('\n')
}

describe('createProgress', () => {
  test('a pipe gets plain lines with the time taken', async () => {
    const out = recorder(false)
    expect(await createProgress(out, clock()).step('Building', async () => 7)).toBe(7)
    expect(out.written).toEqual(['… Building\n', '✓ Building (1.5 s)\n'])
  })

  test('a step that fails is marked, and fails', async () => {
    const out = recorder(false)
    const failing = createProgress(out, clock()).step('Building', () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    expect(out.written.at(-1)).toBe('✗ Building (1.5 s)\n')
  })

  test('on a terminal a line said meanwhile does not end up on the moving one', async () => {
    const out = recorder(true)
    const progress = createProgress(out, clock())
    await progress.step('Building', async () => progress.say('Copying'))
    const screen = afterClearing(out.written.join(''))
    expect(screen).toBe('Copying\n✓ Building (4.5 s)\n')
  })
})

describe('seconds', () => {
  test.each([
    [40, '0.0 s'],
    [3_210, '3.2 s'],
    [65_000, '1 min 5 s'],
  ])('%i ms is %s', (ms, text) => {
    expect(seconds(ms)).toBe(text)
  })
})
