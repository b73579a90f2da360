import { describe, expect, test } from 'vitest'
import { commandChain } from './ancestors.ts'

function system(...rows: [pid: number, parent: number, command: string][]) {
  const facts = rows.map(([pid, parent, command]) => ({ pid, parent, command }))
  return async (pid: number) => facts.find((one) => one.pid === pid)
}

describe('commandChain', () => {
  test('returns the commands up to npx, without the interactive shell', async () => {
    const look = system(
      [10, 9, 'node packages/launcher/src/run.js start'],
      [9, 8, 'sh -c node packages/launcher/src/run.js start'],
      [8, 7, 'node /root/.npm/_npx/1/node_modules/.bin/pnpm start'],
      [7, 6, 'npm exec pnpm@12 start'],
      [6, 1, '-bash'],
    )
    expect(await commandChain(10, look)).toEqual([10, 9, 8, 7])
  })

  test('returns only this process when it was started directly', async () => {
    const look = system([10, 6, 'node packages/launcher/src/run.js start'], [6, 1, 'zsh'])
    expect(await commandChain(10, look)).toEqual([10])
  })

  test('stops at a process that is not visible', async () => {
    expect(await commandChain(10, system([10, 9, 'node start']))).toEqual([10])
  })
})
