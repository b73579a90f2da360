import { describe, expect, test } from 'vitest'
import { createProgress, formatDuration } from './progress.ts'

function recorder(isTTY: boolean) {
  const written: string[] = []
  return { isTTY, written, write: (text: string) => written.push(text) }
}

/** Returns a clock that advances by 1.5 s with each call. */
function clock() {
  let time = 0
  return () => {
    time += 1_500
    return time
  }
}

/** Returns the text without the lines that the terminal codes clear. */
function afterClearing(text: string) {
  return text
    .split('\n')
    .map((line) => line.split('\r\u001b[2K').at(-1))
    .join('\n')
}

describe('createProgress', () => {
  test('prints plain lines with the duration into a pipe', async () => {
    const out = recorder(false)
    expect(await createProgress(out, clock()).step('Building', async () => 7)).toBe(7)
    expect(out.written).toEqual(['… Building\n', '✓ Building (1.5 s)\n'])
  })

  test('marks a failed step and rejects', async () => {
    const out = recorder(false)
    const failing = createProgress(out, clock()).step('Building', () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    expect(out.written.at(-1)).toBe('✗ Building (1.5 s)\n')
  })

  test('keeps a printed line apart from the updating line of a terminal', async () => {
    const out = recorder(true)
    const progress = createProgress(out, clock())
    await progress.step('Building', async () => progress.say('Copying'))
    const screen = afterClearing(out.written.join(''))
    expect(screen).toBe('Copying\n✓ Building (4.5 s)\n')
  })
})

describe('formatDuration', () => {
  test.each([
    [40, '0.0 s'],
    [3_210, '3.2 s'],
    [59_960, '1 min 0 s'],
    [65_000, '1 min 5 s'],
    [119_700, '2 min 0 s'],
  ])('%i ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })
})
