import { describe, expect, test } from 'vitest'
import { findProcessFacts } from './process-facts.ts'
import { runCommand } from './run-command.ts'

describe('runCommand', () => {
  test('returns the exit code and the output', async () => {
    const program = 'console.log("out"); console.error("err"); process.exitCode = 3'
    const result = await runCommand(process.execPath, ['-e', program])
    expect(result).toEqual({ code: 3, stdout: 'out\n', stderr: 'err\n' })
  })

  test('returns -1 for a program that does not exist', async () => {
    expect(await runCommand('/no/such/program', [])).toMatchObject({ code: -1 })
  })

  test('ends the program and the processes that it started when the signal aborts', async () => {
    const controller = new AbortController()
    const { promise: pid, resolve } = Promise.withResolvers<string>()
    const program = `const { pid } = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e3)'])
       setInterval(() => {}, 1e3); console.log(pid)`
    const options = { signal: controller.signal, onLine: resolve }
    const running = runCommand(process.execPath, ['-e', program], options)
    const innerPid = Number(await pid)
    controller.abort()
    expect(await running).toMatchObject({ code: -1 })
    await expect.poll(() => findProcessFacts(innerPid)).toBeUndefined()
  })
})
