import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { heartbeatFileOf } from '../features/ops/index.ts'

const script = join(import.meta.dirname, 'healthcheck.ts')
const addressSchema = z.object({ port: z.number() })

const closes: (() => void)[] = []
afterEach(() => {
  vi.unstubAllEnvs()
  for (const close of closes.splice(0)) close()
})

/** Starts an API with this status at `/readyz` and 404 elsewhere; returns its port. */
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
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  return { code, stderr }
}

describe('healthcheck', () => {
  test('a ready API is healthy', async () => {
    expect(await check(['api'], { PORT: await listen(200, '{}') })).toEqual({ code: 0, stderr: '' })
  })

  test('an API that is not ready is unhealthy for its own reason', async () => {
    const { code, stderr } = await check(['api'], { PORT: await listen(503, 'no database') })
    expect(code).toBe(1)
    expect(stderr).toContain('no database')
  })

  test('an unreachable API is unhealthy', async () => {
    const port = await listen(200, '{}')
    for (const close of closes.splice(0)) close()
    expect((await check(['api'], { PORT: port })).code).toBe(1)
  })

  test('a worker without a heartbeat is unhealthy', async () => {
    const { code, stderr } = await check(['worker'], { TMPDIR: join(import.meta.dirname, 'nowhere') })
    expect(code).toBe(1)
    expect(stderr).toContain('no heartbeat')
  })

  test('a worker is healthy by the heartbeat of its own site', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tidings-healthcheck-'))
    closes.push(() => void rm(folder, { recursive: true, force: true }))
    const env = { TMPDIR: folder, DATABASE_URL: 'postgresql://127.0.0.1/ours', DATA_DIR: folder }

    vi.stubEnv('TMPDIR', folder)
    const file = heartbeatFileOf({ databaseUrl: env.DATABASE_URL, dataDir: folder })
    await writeFile(file, new Date(8_640_000_000_000_000).toISOString())

    expect(await check(['worker'], env)).toEqual({ code: 0, stderr: '' })
    const other = { ...env, DATABASE_URL: 'postgresql://127.0.0.1/theirs' }
    expect((await check(['worker'], other)).code).toBe(1)
  })

  test('prints its usage without the name of a process', async () => {
    const { code, stderr } = await check([], {})
    expect(code).toBe(1)
    expect(stderr).toContain('api|worker')
  })
})
