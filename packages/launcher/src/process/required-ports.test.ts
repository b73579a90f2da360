import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from './free-port.ts'
import { requireFreePorts } from './required-ports.ts'

let holder: Server
let taken: number

beforeEach(async () => {
  holder = createServer()
  taken = await freePort()
  holder.listen(taken, '127.0.0.1')
  await once(holder, 'listening')
})

afterEach(() => holder.close())

describe('requireFreePorts', () => {
  test('names a taken port and a command with another one', async () => {
    const ports = [{ setting: 'PORT' as const, port: taken, purpose: 'the site' }]
    await expect(requireFreePorts(ports, 'start')).rejects.toThrow(
      new RegExp(`Port ${taken}, for the site, is taken.* PORT=\\d+ npx --yes pnpm@12 start`),
    )
  })

  test.runIf(process.platform === 'linux')('names the program that listens on the port', async () => {
    const ports = [{ setting: 'SANDBOX_PORT' as const, port: taken, purpose: 'the inbox' }]
    await expect(requireFreePorts(ports, 'dev')).rejects.toThrow(`by process ${process.pid}`)
  })

  test('accepts free ports', async () => {
    const port = await freePort()
    await expect(
      requireFreePorts([{ setting: 'PORT', port, purpose: 'the site' }], 'start'),
    ).resolves.toBeUndefined()
  })

  test('rejects one port for two purposes', async () => {
    const both = { port: await freePort(), purpose: 'both' }
    await expect(
      requireFreePorts(
        [
          { setting: 'PORT', ...both },
          { setting: 'SANDBOX_PORT', ...both },
        ],
        'start',
      ),
    ).rejects.toThrow('PORT and SANDBOX_PORT are both')
  })
})
