import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'

const script = join(import.meta.dirname, 'healthcheck.ts')
const addressSchema = z.object({ port: z.number() })

const closes: (() => void)[] = []
afterEach(() => {
  for (const close of closes.splice(0)) close()
})

/** An API that answers `/readyz` with the status and everything else with 404; answers with its port. */
async function listen(status: number, body: string): Promise<string> {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/readyz' ? status : 404
    response.end(body)
  })
  closes.push(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return String(addressSchema.parse(server.address()).port)
}

async function check(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [script, ...args], { env: { PATH: '', ...env } })
  const [complaint, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  return { code, complaint }
}

describe('healthcheck', () => {
  test('an API that is ready is well', async () => {
    expect(await check(['api'], { PORT: await listen(200, '{}') })).toEqual({ code: 0, complaint: '' })
  })

  test('an API that is not ready is unwell, and its own reason is said', async () => {
    const { code, complaint } = await check(['api'], { PORT: await listen(503, 'no database') })
    expect(code).toBe(1)
    expect(complaint).toContain('no database')
  })

  test('an API that does not answer is unwell', async () => {
    const port = await listen(200, '{}')
    for (const close of closes.splice(0)) close()
    expect((await check(['api'], { PORT: port })).code).toBe(1)
  })

  test('a worker without a sign of life is unwell', async () => {
    const { code, complaint } = await check(['worker'], { TMPDIR: join(import.meta.dirname, 'nowhere') })
    expect(code).toBe(1)
    expect(complaint).toContain('no sign of life')
  })

  test('without the name of a process it says what it takes', async () => {
    const { code, complaint } = await check([], {})
    expect(code).toBe(1)
    expect(complaint).toContain('api|worker')
  })
})
